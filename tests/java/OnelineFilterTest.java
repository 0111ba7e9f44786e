package org.oneline;

import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** Tests of OnelineFilter. Its argument is a directory for a database. */
public final class OnelineFilterTest {
  private static final int KEYS = 20000;
  private static int passed = 0;
  private static int failed = 0;

  private static void expect(final boolean condition, final String what) {
    System.out.println((condition ? "passed: " : "FAILED: ") + what);
    if (condition) {
      ++passed;
    } else {
      ++failed;
    }
  }

  /** Odd numbers are never written. */
  private static byte[] key(final int number) {
    return String.format("key%08d", number).getBytes();
  }

  private static void readAndWrite(final String path, final String policy) throws RocksDBException {
    try (final OnelineFilter filter = new OnelineFilter(policy);
        final Statistics statistics = new Statistics();
        final Options options = new Options()) {
      options.setCreateIfMissing(true).setStatistics(statistics);
      options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(filter));
      try (final RocksDB db = RocksDB.open(options, path);
          final FlushOptions flush = new FlushOptions()) {
        for (int i = 0; i < KEYS; ++i) {
          db.put(key(2 * i), key(i));
        }
        db.flush(flush);
        int found = 0;
        int foundAbsent = 0;
        for (int i = 0; i < KEYS; ++i) {
          found += db.get(key(2 * i)) != null ? 1 : 0;
          foundAbsent += db.get(key(2 * i + 1)) != null ? 1 : 0;
        }
        expect(found == KEYS, "all keys are found");
        expect(foundAbsent == 0, "no other key is found");
        final long useful = statistics.getTickerCount(TickerType.BLOOM_FILTER_USEFUL);
        expect(useful > 0.997 * KEYS, "filters answered for " + useful + " of " + KEYS + " absent keys");
      }
    }
  }

  private static void expectError(final String path, final String policy, final String error) {
    try (final OnelineFilter filter = new OnelineFilter(policy);
        final Options options = new Options().setCreateIfMissing(true)) {
      options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(filter));
      RocksDB.open(options, path).close();
      expect(false, policy + " is an error");
    } catch (final RocksDBException exception) {
      expect(exception.getMessage().contains(error), policy + ": " + exception.getMessage());
    }
  }

  public static void main(final String[] arguments) throws RocksDBException {
    RocksDB.loadLibrary();
    final String path = arguments[0];
    readAndWrite(path, "oneline:10");
    expectError(path, "oneline:1000", "must be a number from 1 to 100");
    expectError(path, "bloomfilter:10:false", "is not a filter of oneline");
    expectError(path, "onelin:10", "onelin:10");
    expectError(path, "", "is not a filter of oneline");
    expectError(path, null, "the filter is null");
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }
}
