package org.oneline.kafka_streams;

import java.util.Arrays;
import org.rocksdb.RocksDBException;

/** Answers of stores: how long each took, and whether it is what it must be. */
final class Answers {
  private final long[] nanoseconds;
  private int count = 0;
  private int absent = 0;

  Answers(final int maxCount) {
    nanoseconds = new long[maxCount];
  }

  /** @param expected null if the key was never put */
  void get(final StateStore store, final byte[] key, final byte[] expected)
      throws RocksDBException {
    final long started = System.nanoTime();
    final byte[] value = store.get(key);
    took(System.nanoTime() - started);
    compare(value, expected);
    absent += expected == null ? 1 : 0;
  }

  void took(final long nanosecondsOfOne) {
    nanoseconds[count++] = nanosecondsOfOne;
  }

  static void compare(final byte[] value, final byte[] expected) {
    if (!Arrays.equals(value, expected)) {
      throw new IllegalStateException(
          "wrong answer: " + Arrays.toString(value) + " in place of " + Arrays.toString(expected));
    }
  }

  /** How many gets found nothing. */
  int absent() {
    return absent;
  }

  /** The microseconds within which these parts of the answers came, with tabs between. */
  String percentiles(final double... parts) {
    Arrays.sort(nanoseconds, 0, count);
    final StringBuilder text = new StringBuilder();
    for (final double part : parts) {
      final long value = nanoseconds[(int) Math.min(count - 1, part * count)];
      text.append(text.length() == 0 ? "" : "\t").append(String.format("%.1f", value / 1e3));
    }
    return text.toString();
  }
}
