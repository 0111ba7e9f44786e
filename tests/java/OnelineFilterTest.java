package org.oneline;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TableProperties;
import org.rocksdb.TickerType;

/**
 * Tests of OnelineFilter, and of BloomFilter, which is ours if ONELINE_REPLACE_BUILTIN is 1 in the
 * environment.
 */
public final class OnelineFilterTest {
  private static final int KEYS = 20000;
  private static final boolean REPLACED = "1".equals(System.getenv("ONELINE_REPLACE_BUILTIN"));

  @Rule public final TemporaryFolder directory = new TemporaryFolder();

  @BeforeClass
  public static void loadLibrary() {
    RocksDB.loadLibrary();
  }

  /** Odd numbers are never written. */
  private static byte[] key(final int number) {
    return String.format("key%08d", number).getBytes();
  }

  private RocksDB open(final Options options, final Filter filter) throws RocksDBException {
    options.setCreateIfMissing(true);
    options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(filter));
    return RocksDB.open(options, directory.getRoot().getPath());
  }

  /**
   * @param minUseful the part of the absent keys for which filters must answer: less than what
   *     filters with 10 bits for each key do
   */
  private void expectUsed(final Filter filter, final String name, final double minUseful)
      throws RocksDBException {
    try (final Statistics statistics = new Statistics();
        final Options options = new Options().setStatistics(statistics);
        final FlushOptions flush = new FlushOptions();
        final RocksDB db = open(options, filter)) {
      for (int i = 0; i < KEYS; ++i) {
        db.put(key(2 * i), key(i));
      }
      db.flush(flush);
      for (int i = 0; i < KEYS; ++i) {
        assertNotNull(db.get(key(2 * i)));
        assertNull(db.get(key(2 * i + 1)));
      }
      for (final TableProperties table : db.getPropertiesOfAllTables().values()) {
        assertEquals(name, table.getFilterPolicyName());
      }
      final long useful = statistics.getTickerCount(TickerType.BLOOM_FILTER_USEFUL);
      assertTrue(useful + " of " + KEYS, useful > minUseful * KEYS);
    }
  }

  @Test
  public void onelineFilterIsUsed() throws RocksDBException {
    try (final OnelineFilter filter = new OnelineFilter("oneline:10")) {
      expectUsed(filter, "oneline", 0.997);
    }
  }

  @Test
  public void rocksDBsBloomByLevelIsUsed() throws RocksDBException {
    try (final OnelineFilter filter = new OnelineFilter("{id=oneline;kind=rocksdb_bloom}")) {
      expectUsed(filter, "oneline", 0.98);
    }
  }

  @Test
  public void rocksDBsRibbonByLevelIsUsed() throws RocksDBException {
    try (final OnelineFilter filter = new OnelineFilter("{id=oneline;kind=rocksdb_ribbon}")) {
      expectUsed(filter, "oneline", 0.98);
    }
  }

  @Test
  public void bloomFilterIsReplacedOnlyOnRequest() throws RocksDBException {
    try (final BloomFilter filter = new BloomFilter(10)) {
      if (REPLACED) {
        expectUsed(filter, "oneline", 0.997);
      } else {
        expectUsed(filter, "bloomfilter", 0.98);
      }
    }
  }

  private void expectErrorOfOpen(final String policy, final String message)
      throws RocksDBException {
    try (final OnelineFilter filter = new OnelineFilter(policy);
        final Options options = new Options()) {
      final RocksDBException error =
          assertThrows(RocksDBException.class, () -> open(options, filter));
      assertTrue(error.getMessage(), error.getMessage().contains(message));
    }
  }

  @Test
  public void whatNamesUsWronglyIsAnErrorOfOpen() throws RocksDBException {
    expectErrorOfOpen("oneline:1000", "must be a number from 1 to 100");
    expectErrorOfOpen("onelin:10", "onelin:10");
  }

  private static void expectError(final String policy, final String message) {
    final RocksDBException error =
        assertThrows(RocksDBException.class, () -> new OnelineFilter(policy));
    assertTrue(error.getMessage(), error.getMessage().contains(message));
  }

  @Test
  public void otherTextIsAnError() {
    expectError("", "is not a filter of oneline");
    expectError(null, "the filter is null");
    if (!REPLACED) {
      expectError("bloomfilter:10:false", "is not a filter of oneline");
    }
  }
}
