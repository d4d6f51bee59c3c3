package io.skep.metastore;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.table.TableFormat;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Estimates the heap size of catalog objects in bytes from their content: texts, properties, comments, nested types.
 * All texts are counted with two bytes per character.
 */
public final class HeapBytes {
    private static final long OBJECT = 64;
    private static final long TEXT = 56;
    private static final long CHARACTER = 2;
    private static final long REFERENCE = 8;
    private static final long ENTRY = 48;

    /** The estimate for each character of a type's text, which contains a name and a type for each field. */
    private static final long TYPE_CHARACTER = 16;

    private static final long STATISTICS = 160;

    private HeapBytes() {}

    public static long of(String text) {
        return TEXT + CHARACTER * text.length();
    }

    private static long of(Optional<String> text) {
        return text.map(HeapBytes::of).orElse(0L);
    }

    private static long of(Collection<String> texts) {
        long sum = OBJECT;
        for (String text : texts) {
            sum += REFERENCE + of(text);
        }
        return sum;
    }

    private static long of(Map<String, String> texts) {
        long sum = OBJECT;
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            sum += ENTRY + of(entry.getKey()) + of(entry.getValue());
        }
        return sum;
    }

    private static long of(SqlType type) {
        return TYPE_CHARACTER * type.displayName().length();
    }

    private static long ofColumns(List<FieldSchema> columns) {
        long sum = OBJECT;
        for (FieldSchema column : columns) {
            sum += OBJECT + of(column.name()) + of(column.type()) + of(column.comment());
        }
        return sum;
    }

    private static long of(TableFormat format) {
        return OBJECT
                + of(format.inputFormat())
                + of(format.outputFormat())
                + of(format.serde())
                + of(format.properties());
    }

    private static long of(StorageDescriptor storage) {
        return ofColumns(storage.columns()) + of(storage.format()) + ofPlace(storage);
    }

    /** Returns the size of the parts that partitions rarely share with their table. */
    private static long ofPlace(StorageDescriptor storage) {
        long sum = OBJECT + of(storage.location()) + of(storage.bucketColumns());
        for (StorageDescriptor.SortColumn column : storage.sortColumns()) {
            sum += OBJECT + of(column.name());
        }
        sum += of(storage.skew().columns());
        for (List<String> values : storage.skew().values()) {
            sum += of(values);
        }
        for (Map.Entry<List<String>, String> folder : storage.skew().locations().entrySet()) {
            sum += of(folder.getKey()) + of(folder.getValue());
        }
        return sum;
    }

    public static long of(Table table) {
        return OBJECT
                + of(table.database())
                + of(table.name())
                + of(table.owner())
                + ofColumns(table.partitionKeys())
                + of(table.storage())
                + of(table.properties())
                + of(table.viewOriginalText())
                + of(table.viewExpandedText());
    }

    /** @param table the table, whose columns and format count only when the partition's differ */
    public static long of(Partition partition, Table table) {
        StorageDescriptor storage = partition.storage();
        long sum = OBJECT + of(partition.values()) + ofPlace(storage) + of(partition.properties());
        if (!storage.columns().equals(table.storage().columns())) {
            sum += ofColumns(storage.columns());
        }
        if (!storage.format().equals(table.storage().format())) {
            sum += of(storage.format());
        }
        return sum;
    }

    public static long of(Constraint constraint) {
        long sum = 2 * OBJECT + of(constraint.name()) + of(constraint.columns());
        return sum
                + switch (constraint) {
                    case Constraint.DefaultValue c -> of(c.value());
                    case Constraint.Check c -> of(c.expression());
                    case Constraint.ForeignKey _ -> sum;
                    case Constraint.PrimaryKey _ -> 0;
                    case Constraint.Unique _ -> 0;
                    case Constraint.NotNull _ -> 0;
                };
    }

    public static long of(ColumnStatistics statistics) {
        return STATISTICS
                + of(statistics.column())
                + statistics.low().map(Datum::heapBytes).orElse(0L)
                + statistics.high().map(Datum::heapBytes).orElse(0L)
                + statistics
                        .sketch()
                        .map(sketch -> OBJECT + sketch.bytes().length)
                        .orElse(0L)
                // The sorted view of a histogram in use doubles its size.
                + statistics
                        .histogram()
                        .map(histogram -> OBJECT + 3L * histogram.bytes().length)
                        .orElse(0L);
    }
}
