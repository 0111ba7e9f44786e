package org.oneline.rocksjava;

import java.nio.ByteBuffer;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** A store of Kafka Streams 4.0, which one thread uses: it copies keys and values. */
final class StateStore extends Store {
  private static final int VALUE_BYTES = 150;

  StateStore(final Setting setting) throws RocksDBException {
    super(
        setting,
        new DBOptions()
            .setIncreaseParallelism(Math.max(Runtime.getRuntime().availableProcessors(), 2))
            .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL),
        new ColumnFamilyOptions()
            .setWriteBufferSize(16 << 20)
            .setMaxWriteBufferNumber(3)
            .setCompactionStyle(CompactionStyle.UNIVERSAL)
            .setCompressionType(CompressionType.NO_COMPRESSION),
        50 << 20,
        "default");
    writeOptions.setDisableWAL(true);
  }

  /** 16 bytes. Keys of consecutive numbers are far apart, as identifiers drawn at random are. */
  @Override
  byte[] key(final long number) {
    return ByteBuffer.allocate(16).putLong(mix(number)).putLong(number).array();
  }

  @Override
  byte[] value(final long number, final int timesPut) {
    final ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES).putInt(timesPut);
    long random = mix(number + timesPut);
    while (value.remaining() >= Long.BYTES) {
      value.putLong(random);
      random = random * 0x5851f42d4c957f2dL + 1;
    }
    return value.array();
  }

  @Override
  void add(final WriteBatch batch, final long number, final int timesPut)
      throws RocksDBException {
    batch.put(key(number), value(number, timesPut));
  }

  @Override
  void put(final long number, final int timesPut) throws RocksDBException {
    db.put(writeOptions, key(number), value(number, timesPut));
  }
}
