package org.oneline.rocksjava;

import java.util.Arrays;
import java.util.Random;
import org.rocksdb.RocksDBException;

/**
 * What a record does with a store: gets its key, which may be new, and puts it. Every answer is
 * compared with what it must be.
 */
final class Workload {
  final String name;
  private final int newPercent;
  private final boolean updates;
  private final int[] timesPut;
  private final Random random = new Random(1);
  private int keys;

  /**
   * @param newPercent how many records have a key that was never put
   * @param updates whether records with other keys put them again
   * @param maxKeys with those that are restored
   */
  Workload(
      final String name,
      final int newPercent,
      final boolean updates,
      final int restoredKeys,
      final int maxKeys) {
    this.name = name;
    this.newPercent = newPercent;
    this.updates = updates;
    keys = restoredKeys;
    timesPut = new int[maxKeys];
  }

  /** Fills the empty store. */
  void restore(final Store store) throws RocksDBException, InterruptedException {
    store.restore(keys);
    Arrays.fill(timesPut, 0, keys, 1);
  }

  /**
   * Processes as many records as there are elements, which become the nanoseconds of their gets.
   *
   * @return how many gets found nothing
   */
  int process(final Store store, final long[] nanoseconds) throws RocksDBException {
    int absent = 0;
    for (int i = 0; i < nanoseconds.length; ++i) {
      final int number = random.nextInt(100) < newPercent ? keys++ : random.nextInt(keys);
      final byte[] key = store.key(number);
      final boolean isNew = timesPut[number] == 0;
      final long started = System.nanoTime();
      final byte[] value = store.get(key);
      nanoseconds[i] = System.nanoTime() - started;
      if (!Arrays.equals(value, isNew ? null : store.value(number, timesPut[number]))) {
        throw new IllegalStateException("a wrong answer for key " + number);
      }
      absent += isNew ? 1 : 0;
      if (isNew || updates) {
        store.put(number, ++timesPut[number]);
      }
    }
    return absent;
  }
}
