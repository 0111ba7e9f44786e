package org.oneline.rocksjava;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The store of URLFrontier 2.6 with its default options. A record is a discovered URL. The default
 * family has the key by which the family of queues has the URL, and is the only one that is asked.
 */
final class FrontierStore extends Store {
  private static final int HOSTS = 10_000;
  private static final String CRAWL = "DEFAULT";

  FrontierStore(final Setting setting) throws RocksDBException {
    super(
        setting,
        new DBOptions(),
        new ColumnFamilyOptions().optimizeUniversalStyleCompaction(),
        8 << 20, // RocksJava's default
        "default",
        "queues",
        "creationDates");
  }

  @Override
  byte[] key(final long number) {
    return bytes(queue(number) + url(number));
  }

  /** The key in its queue, which is in the order of times. */
  @Override
  byte[] value(final long number, final int timesPut) {
    return bytes(queue(number) + (1_700_000_000 + number) + "_" + url(number));
  }

  @Override
  void add(final WriteBatch batch, final long number, final int timesPut)
      throws RocksDBException {
    final byte[] key = key(number);
    final byte[] inQueue = value(number, timesPut);
    // As long as the message that has the URL, its queue and the crawl.
    final byte[] message = bytes("\n " + url(number) + "\n " + host(number) + "\n " + CRAWL);
    batch.put(families.get(1), inQueue, message);
    batch.put(families.get(0), key, inQueue);
    batch.put(families.get(2), key, ByteBuffer.allocate(8).putLong(number).array());
  }

  @Override
  void put(final long number, final int timesPut) throws RocksDBException {
    try (final WriteBatch batch = new WriteBatch()) {
      add(batch, number, timesPut);
      db.write(writeOptions, batch);
    }
  }

  private static String host(final long number) {
    return "www.site-" + Long.remainderUnsigned(mix(number), HOSTS) + ".example.org";
  }

  private static String queue(final long number) {
    return CRAWL + "_" + host(number) + "_";
  }

  private static String url(final long number) {
    final String digits = Long.toHexString(mix(~number));
    return "https://" + host(number) + "/articles/" + number % 1000 + "/" + digits + ".html";
  }

  private static byte[] bytes(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
