package org.oneline;

import org.rocksdb.Filter;
import org.rocksdb.RocksDBException;

/**
 * Our filter in RocksJava:
 *
 * <pre>
 *   tableConfig.setFilterPolicy(new OnelineFilter("oneline:10"));
 * </pre>
 *
 * RocksJava's native library must contain this library, and be loaded by the class loader that loads
 * this class: docs/engines.md.
 */
public class OnelineFilter extends Filter {
  /**
   * @param policy as in OPTIONS files: {@code oneline:10} or {@code {id=oneline;fp_rate=0.01}}. An
   *     option that is out of bounds is an error when a database is opened with this filter.
   * @throws RocksDBException if this is not the text of a filter of ours
   */
  public OnelineFilter(final String policy) throws RocksDBException {
    super(newFilter(policy));
  }

  private static native long newFilter(String policy) throws RocksDBException;
}
