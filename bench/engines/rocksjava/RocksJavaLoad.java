package org.oneline.rocksjava;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.oneline.OnelineFilter;
import org.rocksdb.BloomFilter;
import org.rocksdb.Filter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TableProperties;
import org.rocksdb.TickerType;

/**
 * Does with RocksDB what Kafka Streams and URLFrontier do, and prints what it took, for
 * rocksjava.sh: lines of a case, the filter, a quantity and its value, with tabs between.
 *
 * <p>Usage: RocksJavaLoad bloom|again|oneline|replaced DIRECTORY KEYS OPERATIONS
 *
 * <p>A wrong answer, and a table without a filter of the policy, is an error.
 */
public final class RocksJavaLoad {
  private static final TickerType USEFUL = TickerType.BLOOM_FILTER_USEFUL;
  private static final TickerType POSITIVE = TickerType.BLOOM_FILTER_FULL_POSITIVE;
  private static final TickerType TRUE_POSITIVE = TickerType.BLOOM_FILTER_FULL_TRUE_POSITIVE;

  private final String policy;
  private final String directory;
  private final Statistics statistics;

  private RocksJavaLoad(
      final String policy, final String directory, final Statistics statistics) {
    this.policy = policy;
    this.directory = directory;
    this.statistics = statistics;
  }

  public static void main(final String[] arguments)
      throws RocksDBException, InterruptedException {
    RocksDB.loadLibrary();
    final int keys = Integer.parseInt(arguments[2]);
    final int operations = Integer.parseInt(arguments[3]);
    // From memory and from disk, each with a quarter more to begin with.
    final int maxKeys = keys + 2 * (operations + operations / 4);
    try (final Statistics statistics = new Statistics()) {
      final RocksJavaLoad load = new RocksJavaLoad(arguments[0], arguments[1], statistics);
      for (final Workload workload :
          List.of(
              new Workload("aggregation", 30, true, keys, maxKeys),
              new Workload("deduplication", 99, false, keys, maxKeys),
              new Workload("frontier", 67, false, keys, maxKeys))) {
        load.measure(workload, operations);
      }
    }
  }

  private void measure(final Workload workload, final int operations)
      throws RocksDBException, InterruptedException {
    try (final Store store = open(workload, false)) {
      final double cpuBefore = cpuSeconds();
      workload.restore(store);
      print(workload.name, "processor seconds", cpuSeconds() - cpuBefore);
      printFilters(workload.name + " restored", store);
      read(workload, workload.name + " memory", store, operations);
    }
    try (final Store store = open(workload, true)) {
      read(workload, workload.name + " disk", store, operations);
      printFilters(workload.name + " read", store);
    }
  }

  /** The engines make a filter for each database, and so does what sets another. */
  private Store open(final Workload workload, final boolean directReads) throws RocksDBException {
    final Filter filter =
        policy.equals("oneline") ? new OnelineFilter("oneline:10") : new BloomFilter();
    final Store.Setting setting =
        new Store.Setting(directory + "/" + workload.name, filter, statistics, directReads);
    return workload.name.equals("frontier") ? new FrontierStore(setting) : new StateStore(setting);
  }

  private void read(
      final Workload workload, final String of, final Store store, final int operations)
      throws RocksDBException, InterruptedException {
    // The caches fill, and Java compiles.
    workload.process(store, new long[operations / 4]);
    final long[] nanoseconds = new long[operations];
    for (final TickerType ticker : List.of(USEFUL, POSITIVE, TRUE_POSITIVE)) {
      statistics.getAndResetTickerCount(ticker);
    }
    final double cpuBefore = cpuSeconds();
    final long started = System.nanoTime();
    final int absent = workload.process(store, nanoseconds);
    final double seconds = (System.nanoTime() - started) / 1e9;
    final double cpu = cpuSeconds() - cpuBefore;
    final long filtered = statistics.getTickerCount(USEFUL);
    if (filtered < absent / 2) {
      throw new IllegalStateException(
          of + ": " + absent + " gets found nothing, filters knew " + filtered);
    }
    Arrays.sort(nanoseconds);
    print(of, "operations/s", operations / seconds);
    print(of, "p50 us", nanoseconds[operations / 2] / 1e3);
    print(of, "p99 us", nanoseconds[operations / 100 * 99] / 1e3);
    print(of, "processor seconds", cpu);
    print(
        of,
        "false positives",
        statistics.getTickerCount(POSITIVE) - statistics.getTickerCount(TRUE_POSITIVE));
    print(of, "filtered", filtered);
    print(of, "absent", absent);
    store.settle();
  }

  private void printFilters(final String of, final Store store) throws RocksDBException {
    final String expected =
        policy.equals("oneline") || policy.equals("replaced") ? "oneline" : "bloomfilter";
    long entries = 0;
    long bytes = 0;
    for (final TableProperties table : store.tables()) {
      if (!expected.equals(table.getFilterPolicyName()) || table.getFilterSize() == 0) {
        throw new IllegalStateException(
            of + ": a table has a filter of " + table.getFilterPolicyName());
      }
      entries += table.getNumEntries();
      bytes += table.getFilterSize();
    }
    print(of, "MB of filters", bytes / 1e6);
    print(of, "bits per key", 8.0 * bytes / entries);
  }

  /** Of all threads of this process, those of RocksDB and of Java as well. */
  private static double cpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  private void print(final String of, final String quantity, final double value) {
    System.out.printf("%s\t%s\t%s\t%.3f%n", of, policy, quantity, value);
  }
}
