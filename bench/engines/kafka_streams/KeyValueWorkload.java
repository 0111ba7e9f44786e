package org.oneline.kafka_streams;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.rocksdb.RocksDBException;

/** A key-value store: a record gets its key, which may be new, and puts it. */
final class KeyValueWorkload extends Workload {
  private final int newPercent;
  private final boolean updates;
  private final int[] timesPut;
  private int keys;

  /**
   * @param newPercent how many records have a key that was never put
   * @param updates whether records with other keys put them again
   * @param maxKeys with those that are restored
   */
  KeyValueWorkload(
      final String name,
      final int newPercent,
      final boolean updates,
      final int restoredKeys,
      final int maxKeys) {
    super(name);
    this.newPercent = newPercent;
    this.updates = updates;
    keys = restoredKeys;
    timesPut = new int[maxKeys];
  }

  @Override
  void open(final Opener opener) throws RocksDBException {
    stores.add(opener.open(name));
  }

  @Override
  void restore() throws RocksDBException, InterruptedException {
    stores.get(0).restore(keys, Records::key, number -> Records.value(number, 1));
    Arrays.fill(timesPut, 0, keys, 1);
  }

  @Override
  Map<String, Operation> operations() {
    return Map.of(name, this::process);
  }

  private void process(final Random random, final Answers answers) throws RocksDBException {
    final int number = random.nextInt(100) < newPercent ? keys++ : random.nextInt(keys);
    final byte[] key = Records.key(number);
    final boolean isNew = timesPut[number] == 0;
    answers.get(stores.get(0), key, isNew ? null : Records.value(number, timesPut[number]));
    if (isNew || updates) {
      stores.get(0).put(key, Records.value(number, ++timesPut[number]));
    }
  }
}
