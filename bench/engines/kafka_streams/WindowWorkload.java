package org.oneline.kafka_streams;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A window store with windows of an hour and a retention of a day, so that a segment, which is a
 * database, has 12 windows. The first is full and the second current.
 */
final class WindowWorkload extends Workload {
  static final String FETCH = "window fetch";

  private static final int SEGMENT_WINDOWS = 12;
  private static final int SEGMENTS = 2;
  private static final int WINDOWS = SEGMENTS * SEGMENT_WINDOWS;
  private static final int FETCHED_WINDOWS = 3;
  private static final long HOUR_MS = 3_600_000;

  private final int keys;
  // By key, then by window.
  private final int[] timesPut;
  // The two last windows get records, one after each `open`.
  private int window = WINDOWS - 3;

  /** @param segmentRecords in the full segment, all of them restored */
  WindowWorkload(final int segmentRecords) {
    super("windows");
    keys = segmentRecords / SEGMENT_WINDOWS;
    timesPut = new int[keys * WINDOWS];
  }

  @Override
  void open(final Opener opener) throws RocksDBException {
    for (int segment = 0; segment < SEGMENTS; ++segment) {
      stores.add(opener.open(name + segment));
    }
    ++window;
  }

  @Override
  void restore() throws RocksDBException, InterruptedException {
    for (int segment = 0; segment < SEGMENTS; ++segment) {
      final int first = segment * SEGMENT_WINDOWS;
      final int end = Math.min(first + SEGMENT_WINDOWS, window);
      stores
          .get(segment)
          .restore(
              (long) keys * (end - first),
              i -> windowKey((int) (i % keys), first + (int) (i / keys)),
              i -> Records.value(number((int) (i % keys), first + (int) (i / keys)), 1));
    }
    for (int key = 0; key < keys; ++key) {
      Arrays.fill(timesPut, number(key, 0), number(key, window), 1);
    }
  }

  @Override
  Map<String, Operation> operations() {
    final Map<String, Operation> operations = new LinkedHashMap<>();
    operations.put("window aggregation", this::aggregate);
    operations.put(FETCH, this::fetch);
    return operations;
  }

  private static int number(final int key, final int window) {
    return key * WINDOWS + window;
  }

  /** The key, when the window begins, and a sequence number, which only joins need. */
  private static byte[] windowKey(final int key, final int window) {
    return ByteBuffer.allocate(28)
        .put(Records.key(key))
        .putLong(window * HOUR_MS)
        .putInt(0)
        .array();
  }

  private byte[] expected(final int number) {
    return timesPut[number] == 0 ? null : Records.value(number, timesPut[number]);
  }

  /** An aggregation by window gets what it has of the key in that window alone. */
  private void aggregate(final Random random, final Answers answers) throws RocksDBException {
    final int key = random.nextInt(keys);
    final int number = number(key, window);
    final StateStore segment = stores.get(window / SEGMENT_WINDOWS);
    answers.get(segment, windowKey(key, window), expected(number));
    segment.put(windowKey(key, window), Records.value(number, ++timesPut[number]));
  }

  /** All windows of a key in a span of time, as a join and a query fetch them: range scans. */
  private void fetch(final Random random, final Answers answers) throws RocksDBException {
    final int key = random.nextInt(keys);
    final int first = random.nextInt(window - FETCHED_WINDOWS + 2);
    final int last = first + FETCHED_WINDOWS - 1;
    final byte[] end = windowKey(key, last);
    final byte[][] values = new byte[FETCHED_WINDOWS][];
    final long started = System.nanoTime();
    for (int i = first / SEGMENT_WINDOWS; i <= last / SEGMENT_WINDOWS; ++i) {
      try (final RocksIterator iterator = stores.get(i).newIterator()) {
        for (iterator.seek(windowKey(key, first)); iterator.isValid(); iterator.next()) {
          final byte[] found = iterator.key();
          if (Arrays.compareUnsigned(found, end) > 0) {
            break;
          }
          final long time = ByteBuffer.wrap(found).getLong(16);
          values[(int) (time / HOUR_MS) - first] = iterator.value();
        }
        iterator.status();
      }
    }
    answers.took(System.nanoTime() - started);
    for (int i = 0; i < FETCHED_WINDOWS; ++i) {
      Answers.compare(values[i], expected(number(key, first + i)));
    }
  }
}
