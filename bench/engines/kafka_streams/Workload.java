package org.oneline.kafka_streams;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.rocksdb.RocksDBException;

/** One kind of processing: its stores, what is in them, and what a record does with them. */
abstract class Workload {
  /** What one record does. */
  interface Operation {
    void process(Random random, Answers answers) throws RocksDBException;
  }

  /** Opens the database of this name. */
  interface Opener {
    StateStore open(String name) throws RocksDBException;
  }

  final String name;
  final List<StateStore> stores = new ArrayList<>();

  Workload(final String name) {
    this.name = name;
  }

  abstract void open(Opener opener) throws RocksDBException;

  /** Fills the empty stores, as from a changelog. */
  abstract void restore() throws RocksDBException, InterruptedException;

  /** By name; in the order in which they are measured. */
  abstract Map<String, Operation> operations();

  final void settle() throws RocksDBException, InterruptedException {
    for (final StateStore store : stores) {
      store.settle();
    }
  }

  final void close() {
    stores.forEach(StateStore::close);
    stores.clear();
  }
}
