package io.skep.bench.kernel;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Columns for measurements, the same in each run. */
final class SampleVectors {
    private static final String[] WORDS = {
        "special",
        "packages",
        "carefully",
        "final",
        "deposits",
        "sleep",
        "quickly",
        "above",
        "the",
        "furiously",
        "requests",
        "ironic"
    };

    private final SplittableRandom random = new SplittableRandom(1);
    private final int rows;

    SampleVectors(int rows) {
        this.rows = rows;
    }

    /** Values in {@code [0, bound)}. */
    LongVector longs(long bound) {
        long[] values = new long[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = random.nextLong(bound);
        }
        return new LongVector(values, null, rows);
    }

    /** Returns values of which a tenth is null. */
    LongVector nullableLongs(long bound) {
        long[] nulls = new long[NullMask.words(rows)];
        for (int i = 0; i < rows; i++) {
            if (random.nextInt(10) == 0) {
                NullMask.set(nulls, i);
            }
        }
        return new LongVector(longs(bound).values(), nulls, rows);
    }

    /** Returns each value {@code length} times in a row. */
    LongVector runs(int length) {
        long[] values = new long[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = i % length == 0 ? random.nextLong(1000) : values[i - 1];
        }
        return new LongVector(values, null, rows);
    }

    DoubleVector doubles() {
        double[] values = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = random.nextDouble() * 1000;
        }
        return new DoubleVector(values, null, rows);
    }

    /** Decimals of 19 to 38 digits whose values have at most 10. */
    Decimal128Vector decimals() {
        return new Decimal128Vector(new long[rows], longs(10_000_000_000L).values(), null, rows);
    }

    /** Texts of {@code words} words. */
    BytesVector texts(int words) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        for (int i = 0; i < rows; i++) {
            offsets[i] = data.size();
            for (int word = 0; word < words; word++) {
                byte[] bytes = WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.US_ASCII);
                data.write(bytes, 0, bytes.length);
                data.write(' ');
            }
            lengths[i] = data.size() - offsets[i];
        }
        return new BytesVector(data.toByteArray(), offsets, lengths, null, rows);
    }

    /** Texts of three words, with {@code entries} distinct values. */
    Vector dictionary(int entries) {
        BytesVector different = new SampleVectors(entries).texts(3);
        int[] ids = new int[rows];
        for (int i = 0; i < rows; i++) {
            ids[i] = random.nextInt(entries);
        }
        return new DictionaryVector(ids, different, null, rows);
    }
}
