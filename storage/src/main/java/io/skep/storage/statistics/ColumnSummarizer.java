package io.skep.storage.statistics;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the vectors of one column incrementally. Constants and dictionary entries are processed once per vector.
 * Not thread-safe.
 */
public abstract sealed class ColumnSummarizer
        permits BooleanSummarizer,
                BytesSummarizer,
                DecimalSummarizer,
                DoubleSummarizer,
                LongSummarizer,
                TimestampSummarizer {
    private final @Nullable SqlType sampledType;
    private final ValueSample sample = new ValueSample();
    private long rows;
    private long nulls;

    /** Creates a summarizer without a histogram. */
    ColumnSummarizer() {
        this.sampledType = null;
    }

    /** @param type a type that supports histograms */
    ColumnSummarizer(SqlType type) {
        this.sampledType = type;
    }

    /** Whether columns of a type have statistics. The types are the same as in Hive. */
    public static boolean supports(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING, BINARY, DATE, TIMESTAMP ->
                        true;
                    case VOID, TIMESTAMP_LOCAL_TZ, INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME -> false;
                };
            case DecimalType decimal -> true;
            case CharType text -> true;
            case VarcharType text -> true;
            default -> false;
        };
    }

    /** @param type a supported type */
    public static ColumnSummarizer of(SqlType type) {
        if (!supports(type)) {
            throw new IllegalArgumentException("no statistics are kept of type " + type.displayName());
        }
        return switch (type) {
            case PrimitiveType.BOOLEAN -> new BooleanSummarizer();
            case PrimitiveType.BINARY -> new BytesSummarizer(false);
            case PrimitiveType.FLOAT, PrimitiveType.DOUBLE -> new DoubleSummarizer(type);
            case PrimitiveType.TIMESTAMP -> new TimestampSummarizer(type);
            case DecimalType decimal ->
                decimal.isShort()
                        ? new LongSummarizer(type, Optional.of(new DecimalHash(decimal.scale())))
                        : new DecimalSummarizer(decimal);
            case CharType text -> new BytesSummarizer(true);
            case VarcharType text -> new BytesSummarizer(true);
            case PrimitiveType.STRING -> new BytesSummarizer(true);
            default -> new LongSummarizer(type, Optional.empty());
        };
    }

    public final void add(Vector vector) {
        int length = vector.length();
        rows += length;
        switch (vector) {
            case ConstantVector constant -> addConstant(constant, length);
            case DictionaryVector dictionary
            when dictionary.dictionary().length() <= length -> {
                nulls += NullMask.count(dictionary.nulls(), length);
                look(dictionary.dictionary(), null, counts(dictionary));
            }
            default -> {
                Vector flat = vector.flatten();
                nulls += NullMask.count(flat.nulls(), length);
                look(flat, flat.nulls(), null);
            }
        }
    }

    private void addConstant(ConstantVector constant, int length) {
        if (length == 0) {
            return;
        }
        if (constant.value().isNull(0)) {
            nulls += length;
        } else {
            look(constant.value().flatten(), null, new int[] {length});
        }
    }

    private void look(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        addValues(flat, nulls, counts);
        if (sampledType != null) {
            if (counts == null) {
                sampleRows(flat, nulls, sampledType);
            } else {
                sampleCounted(flat, counts, sampledType);
            }
        }
    }

    private void sampleRows(Vector flat, long @Nullable [] nulls, SqlType type) {
        int length = flat.length();
        int row = 0;
        while (sample.untilNext() < length - row) {
            row += (int) sample.untilNext();
            boolean isNull = nulls != null && NullMask.isNull(nulls, row);
            sample.take(isNull ? Double.NaN : position(flat, row, type));
            row++;
        }
        sample.pass(length - row);
    }

    /** Samples as if each value occurred as many times as its count. */
    private void sampleCounted(Vector flat, int[] counts, SqlType type) {
        for (int row = 0; row < flat.length(); row++) {
            long left = counts[row];
            while (sample.untilNext() < left) {
                left -= sample.untilNext() + 1;
                sample.take(position(flat, row, type));
            }
            sample.pass(left);
        }
    }

    private static double position(Vector flat, int row, SqlType type) {
        return Histogram.position(Datum.of(flat, row, type), type).orElse(Double.NaN);
    }

    private static int[] counts(DictionaryVector vector) {
        int[] counts = new int[vector.dictionary().length()];
        int[] ids = vector.ids();
        long[] nulls = vector.nulls();
        int length = vector.length();
        for (int row = 0; row < length; row++) {
            if (nulls == null || !NullMask.isNull(nulls, row)) {
                counts[ids[row]]++;
            }
        }
        return counts;
    }

    /**
     * @param nulls marks rows without a value
     * @param counts how many times each value occurs, possibly zero; once each when absent
     */
    abstract void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts);

    /** Whether a row of {@link #addValues} has no value to process. */
    static boolean isSkipped(long @Nullable [] nulls, int @Nullable [] counts, int row) {
        return nulls != null && NullMask.isNull(nulls, row) || counts != null && counts[row] == 0;
    }

    final long rows() {
        return rows;
    }

    final long nulls() {
        return nulls;
    }

    final Optional<Histogram> histogram() {
        return sample.histogram();
    }

    final long sampleBytes() {
        return sample.retainedBytes();
    }

    public abstract ColumnSummary summary();

    /** Returns the approximate heap size. */
    public abstract long retainedBytes();
}
