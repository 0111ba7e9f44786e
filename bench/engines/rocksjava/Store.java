package org.oneline.rocksjava;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.Statistics;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A database of an engine, which has the engine's options and is used in the same way. Keys and
 * values are functions of numbers, so that the answer to each get is known.
 */
abstract class Store implements AutoCloseable {
  /** Records in a batch while a store is restored: Kafka's default for a poll. */
  private static final int RESTORE_BATCH = 1000;
  /** Nearly what a write buffer of Kafka Streams has room for. */
  private static final int FLUSH_RECORDS = 75_000;

  protected final WriteOptions writeOptions = new WriteOptions();
  protected final List<ColumnFamilyHandle> families = new ArrayList<>();
  protected final RocksDB db;
  private final List<RocksObject> closed;

  /**
   * What a store has whatever the engine. The filter becomes the store's.
   *
   * @param directReads whether tables are read past the page cache
   */
  record Setting(String directory, Filter filter, Statistics statistics, boolean directReads) {}

  /** Takes the engine's options over. */
  protected Store(
      final Setting setting,
      final DBOptions options,
      final ColumnFamilyOptions familyOptions,
      final long cacheBytes,
      final String... families)
      throws RocksDBException {
    final Cache cache = new LRUCache(cacheBytes);
    // Filters and indexes are not in the block cache, but held as long as the store is open.
    familyOptions.setTableFormatConfig(
        new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(setting.filter));
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setStatistics(setting.statistics)
        .setUseDirectReads(setting.directReads);
    final List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (final String family : families) {
      final byte[] name = family.getBytes(StandardCharsets.UTF_8);
      descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
    }
    db = RocksDB.open(options, setting.directory, descriptors, this.families);
    closed = List.of(db, options, familyOptions, writeOptions, cache, setting.filter);
  }

  abstract byte[] key(long number);

  /** What is stored with the key of this number once it was put so many times. */
  abstract byte[] value(long number, int timesPut);

  /** Adds what the engine writes for a record. */
  abstract void add(WriteBatch batch, long number, int timesPut) throws RocksDBException;

  abstract void put(long number, int timesPut) throws RocksDBException;

  byte[] get(final byte[] key) throws RocksDBException {
    return db.get(key);
  }

  /**
   * Puts the first `count` records in batches. Compactions end before more is put than a write
   * buffer, so that each pass has the same sorted runs.
   */
  void restore(final long count) throws RocksDBException, InterruptedException {
    try (final WriteBatch batch = new WriteBatch()) {
      for (long i = 0; i < count; ++i) {
        add(batch, i, 1);
        if ((i + 1) % RESTORE_BATCH == 0 || i + 1 == count) {
          db.write(writeOptions, batch);
          batch.clear();
        }
        if ((i + 1) % FLUSH_RECORDS == 0 || i + 1 == count) {
          settle();
        }
      }
    }
  }

  /** Flushes, as a checkpoint does, and waits for compactions to end. */
  void settle() throws RocksDBException, InterruptedException {
    try (final FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush, families);
    }
    // Where as many runs stay as start a compaction, one is pending that never runs.
    for (int idle = 0; idle < (number("compaction-pending") > 0 ? 100 : 10); ++idle) {
      Thread.sleep(3);
      if (number("num-running-flushes") + number("num-running-compactions") > 0) {
        idle = -1;
      }
    }
  }

  /** One of RocksDB's properties that are numbers, of all families together. */
  private long number(final String property) throws RocksDBException {
    return db.getAggregatedLongProperty("rocksdb." + property);
  }

  List<TableProperties> tables() throws RocksDBException {
    final List<TableProperties> tables = new ArrayList<>();
    for (final ColumnFamilyHandle family : families) {
      tables.addAll(db.getPropertiesOfAllTables(family).values());
    }
    return tables;
  }

  @Override
  public void close() {
    families.forEach(ColumnFamilyHandle::close);
    closed.forEach(RocksObject::close);
  }

  /** A permutation of the numbers of 64 bits. */
  protected static long mix(final long number) {
    long bits = (number + 1) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 32)) * 0xd6e8feb86659fd93L;
    return bits ^ (bits >>> 32);
  }
}
