package org.oneline.kafka_streams;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.oneline.OnelineFilter;
import org.rocksdb.BloomFilter;
import org.rocksdb.Filter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TableProperties;
import org.rocksdb.TickerType;

/**
 * Does with RocksDB what Kafka Streams does, and prints what it took, with tabs between. For
 * kafka_streams.sh, which says what the rows have.
 *
 * <p>Usage: KafkaStreamsLoad bloom|again|oneline|replaced DIRECTORY KEYS OPERATIONS
 *
 * <p>A wrong answer, and a table without a filter of the policy, is an error.
 */
public final class KafkaStreamsLoad {
  private static final TickerType POSITIVE = TickerType.BLOOM_FILTER_FULL_POSITIVE;
  private static final TickerType TRUE_POSITIVE = TickerType.BLOOM_FILTER_FULL_TRUE_POSITIVE;
  private static final TickerType USEFUL = TickerType.BLOOM_FILTER_USEFUL;

  private final String policy;
  private final String directory;
  private final Statistics statistics;

  private KafkaStreamsLoad(
      final String policy, final String directory, final Statistics statistics) {
    this.policy = policy;
    this.directory = directory;
    this.statistics = statistics;
  }

  public static void main(final String[] arguments)
      throws RocksDBException, InterruptedException {
    RocksDB.loadLibrary();
    final String policy = arguments[0];
    final int keys = Integer.parseInt(arguments[2]);
    final int operations = Integer.parseInt(arguments[3]);
    // From memory and from disk, each with a quarter more to begin with.
    final int maxKeys = keys + 2 * (operations + operations / 4);
    try (final Statistics statistics = new Statistics()) {
      final KafkaStreamsLoad load = new KafkaStreamsLoad(policy, arguments[1], statistics);
      for (final Workload workload :
          List.of(
              new KeyValueWorkload("aggregation", 30, true, keys, maxKeys),
              new KeyValueWorkload("deduplication", 99, false, keys, maxKeys),
              new WindowWorkload(keys))) {
        load.measure(workload, operations);
      }
    }
  }

  private void measure(final Workload workload, final int operations)
      throws RocksDBException, InterruptedException {
    open(workload, false);
    final double cpuBefore = cpuSeconds();
    workload.restore();
    print("restore", workload.name, cpuSeconds() - cpuBefore);
    printFilters(workload, "restored");
    final Random random = new Random(1);
    for (final String cache : List.of("memory", "disk")) {
      for (final Map.Entry<String, Workload.Operation> operation :
          workload.operations().entrySet()) {
        // Scans take long.
        final int count =
            operation.getKey().equals(WindowWorkload.FETCH) ? operations / 10 : operations;
        printRead(workload, operation.getKey(), operation.getValue(), cache, count, random);
      }
      if (cache.equals("memory")) {
        workload.close();
        open(workload, true);
      }
    }
    printFilters(workload, "read");
    workload.close();
  }

  private void open(final Workload workload, final boolean directReads) throws RocksDBException {
    workload.open(
        name -> new StateStore(directory + "/" + name, newFilter(), statistics, directReads));
  }

  /** Kafka Streams makes one for each database, and so does the class that sets another. */
  private Filter newFilter() throws RocksDBException {
    return policy.equals("oneline") ? new OnelineFilter("oneline:10") : new BloomFilter();
  }

  private void printRead(
      final Workload workload,
      final String name,
      final Workload.Operation operation,
      final String cache,
      final int operations,
      final Random random)
      throws RocksDBException, InterruptedException {
    // The caches fill, and Java compiles.
    final Answers first = new Answers(operations / 4);
    for (int i = 0; i < operations / 4; ++i) {
      operation.process(random, first);
    }
    final Answers answers = new Answers(operations);
    final long positive = statistics.getTickerCount(POSITIVE);
    final long truePositive = statistics.getTickerCount(TRUE_POSITIVE);
    final long useful = statistics.getTickerCount(USEFUL);
    final double cpuBefore = cpuSeconds();
    final long started = System.nanoTime();
    for (int i = 0; i < operations; ++i) {
      operation.process(random, answers);
    }
    final double seconds = (System.nanoTime() - started) / 1e9;
    final double cpu = cpuSeconds() - cpuBefore;
    final long filtered = statistics.getTickerCount(USEFUL) - useful;
    if (filtered < answers.absent() / 2) {
      throw new IllegalStateException(
          name + ": " + answers.absent() + " gets found nothing, filters knew " + filtered);
    }
    print(
        "read",
        name + "\t" + cache,
        operations / seconds,
        answers.percentiles(0.5, 0.99, 0.999),
        cpu,
        statistics.getTickerCount(POSITIVE)
            - positive
            - (statistics.getTickerCount(TRUE_POSITIVE) - truePositive),
        filtered,
        answers.absent());
    workload.settle();
    expectFilters(workload);
  }

  private void expectFilters(final Workload workload) throws RocksDBException {
    final String expected =
        policy.equals("oneline") || policy.equals("replaced") ? "oneline" : "bloomfilter";
    for (final StateStore store : workload.stores) {
      for (final TableProperties table : store.db().getPropertiesOfAllTables().values()) {
        if (!expected.equals(table.getFilterPolicyName()) || table.getFilterSize() == 0) {
          throw new IllegalStateException(
              "a table has a filter of "
                  + table.getFilterPolicyName()
                  + ", "
                  + table.getFilterSize()
                  + " bytes, in place of "
                  + expected);
        }
      }
    }
  }

  private void printFilters(final Workload workload, final String when) throws RocksDBException {
    expectFilters(workload);
    long entries = 0;
    long filterBytes = 0;
    long readerBytes = 0;
    int runs = 0;
    for (final StateStore store : workload.stores) {
      for (final TableProperties table : store.db().getPropertiesOfAllTables().values()) {
        entries += table.getNumEntries();
        filterBytes += table.getFilterSize();
      }
      readerBytes += store.number("estimate-table-readers-mem");
      runs += store.sortedRuns();
    }
    print(
        "filters",
        workload.name + "\t" + when,
        filterBytes / 1e6,
        8.0 * filterBytes / entries,
        readerBytes / 1e6,
        runs);
  }

  /** Of all threads of this process, those of RocksDB and of Java as well. */
  private static double cpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  private void print(final String row, final Object... columns) {
    final StringBuilder line = new StringBuilder(row).append('\t').append(policy);
    for (final Object column : columns) {
      line.append('\t')
          .append(column instanceof Double ? String.format("%.3f", column) : column.toString());
    }
    System.out.println(line);
  }
}
