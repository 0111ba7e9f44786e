package org.oneline.kafka_streams;

import java.util.function.LongFunction;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A database with the options that Kafka Streams 4.0 gives to each store, and used in the same way:
 * by one thread, which copies keys and values.
 */
final class StateStore implements AutoCloseable {
  /** Records in a batch while a store is restored: Kafka's default for a poll. */
  private static final int RESTORE_BATCH = 1000;
  /** Nearly what a write buffer has room for. */
  private static final int FLUSH_RECORDS = 75_000;

  private final Filter filter;
  private final Cache cache = new LRUCache(50 << 20);
  private final Options options = new Options();
  private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
  private final RocksDB db;

  /**
   * @param filter becomes this store's
   * @param statistics is the caller's
   * @param directReads whether tables are read past the page cache
   */
  StateStore(
      final String directory,
      final Filter filter,
      final Statistics statistics,
      final boolean directReads)
      throws RocksDBException {
    this.filter = filter;
    // Filters and indexes are not in the block cache, but held as long as the store is open.
    final BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setBlockSize(4096)
            .setFilterPolicy(filter);
    options
        .setTableFormatConfig(table)
        .setWriteBufferSize(16 << 20)
        .setMaxWriteBufferNumber(3)
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setIncreaseParallelism(Math.max(Runtime.getRuntime().availableProcessors(), 2))
        .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
        .setCreateIfMissing(true)
        .setStatistics(statistics)
        .setUseDirectReads(directReads);
    db = RocksDB.open(options, directory);
  }

  RocksDB db() {
    return db;
  }

  byte[] get(final byte[] key) throws RocksDBException {
    return db.get(key);
  }

  void put(final byte[] key, final byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  /**
   * Puts `count` records in batches. Compactions end before more than a write buffer is put, so
   * that each pass has the same sorted runs.
   */
  void restore(
      final long count, final LongFunction<byte[]> key, final LongFunction<byte[]> value)
      throws RocksDBException, InterruptedException {
    try (final WriteBatch batch = new WriteBatch()) {
      for (long i = 0; i < count; ++i) {
        batch.put(key.apply(i), value.apply(i));
        if (batch.count() == RESTORE_BATCH || i + 1 == count) {
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
      db.flush(flush);
    }
    // Where as many runs stay as start a compaction, one is pending that never runs.
    for (int idle = 0; idle < (number("compaction-pending") > 0 ? 100 : 10); ++idle) {
      Thread.sleep(3);
      if (number("num-running-flushes") + number("num-running-compactions") > 0) {
        idle = -1;
      }
    }
  }

  /** One of RocksDB's properties that are numbers. */
  private long number(final String property) throws RocksDBException {
    return db.getLongProperty("rocksdb." + property);
  }

  @Override
  public void close() {
    db.close();
    options.close();
    writeOptions.close();
    cache.close();
    filter.close();
  }
}
