package org.oneline.kafka_streams;

import java.nio.ByteBuffer;

/** Keys and values as functions of numbers, so that the answer to each get is known. */
final class Records {
  private static final int VALUE_BYTES = 150;

  private Records() {}

  /** 16 bytes. Keys of consecutive numbers are far apart, as identifiers drawn at random are. */
  static byte[] key(final long number) {
    return ByteBuffer.allocate(16).putLong(mix(number)).putLong(number).array();
  }

  /** What is stored with the key of this number once it was updated so many times. */
  static byte[] value(final long number, final int updates) {
    final ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES).putInt(updates);
    long random = mix(number + updates);
    while (value.remaining() >= Long.BYTES) {
      value.putLong(random);
      random = random * 0x5851f42d4c957f2dL + 1;
    }
    return value.array();
  }

  /** A permutation of the numbers of 64 bits. */
  private static long mix(final long number) {
    long bits = (number + 1) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 32)) * 0xd6e8feb86659fd93L;
    return bits ^ (bits >>> 32);
  }
}
