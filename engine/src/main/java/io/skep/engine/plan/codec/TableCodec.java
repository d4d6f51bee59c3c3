package io.skep.engine.plan.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Encodes and decodes the messages Table, Format, Column, Predicate and Split. Properties are written in the order of
 * their keys.
 */
final class TableCodec {
    private TableCodec() {}

    static void writeTable(MessageWriter out, TableLayout table) {
        out.text(1, table.name())
                .message(2, table.format(), TableCodec::writeFormat)
                .messages(3, table.dataColumns(), TableCodec::writeColumn)
                .messages(4, table.partitionColumns(), TableCodec::writeColumn);
        writeProperties(out, 5, table.properties());
    }

    static TableLayout readTable(MessageReader in) {
        return new TableLayout(
                in.text(1),
                in.message(2, TableCodec::readFormat),
                in.messages(3, TableCodec::readColumn),
                in.messages(4, TableCodec::readColumn),
                readProperties(in, 5));
    }

    private static void writeFormat(MessageWriter out, TableFormat format) {
        out.text(1, format.inputFormat()).text(2, format.outputFormat()).text(3, format.serde());
        writeProperties(out, 4, format.properties());
    }

    private static TableFormat readFormat(MessageReader in) {
        return new TableFormat(in.text(1), in.text(2), in.text(3), readProperties(in, 4));
    }

    static void writePartitionFormat(MessageWriter out, Map.Entry<String, TableFormat> partition) {
        out.text(1, partition.getKey()).message(2, partition.getValue(), TableCodec::writeFormat);
    }

    static Map.Entry<String, TableFormat> readPartitionFormat(MessageReader in) {
        return Map.entry(in.text(1), in.message(2, TableCodec::readFormat));
    }

    private static void writeProperties(MessageWriter out, int field, Map<String, String> properties) {
        new TreeMap<>(properties)
                .entrySet()
                .forEach(property -> out.message(
                        field, property, (m, entry) -> m.text(1, entry.getKey()).text(2, entry.getValue())));
    }

    private static Map<String, String> readProperties(MessageReader in, int field) {
        Map<String, String> properties = new TreeMap<>();
        in.messages(field, m -> Map.entry(m.text(1), m.text(2)))
                .forEach(entry -> properties.put(entry.getKey(), entry.getValue()));
        return properties;
    }

    private static void writeColumn(MessageWriter out, Column column) {
        out.text(1, column.name()).message(2, column.type(), TypeCodec::write);
    }

    private static Column readColumn(MessageReader in) {
        return new Column(in.text(1), in.message(2, TypeCodec::read));
    }

    static void writePredicate(MessageWriter out, ColumnPredicate predicate) {
        out.integer(1, predicate.column());
        switch (predicate) {
            case ColumnPredicate.Range p -> {
                p.low().ifPresent(low -> out.message(3, low, DatumCodec::write));
                out.bool(4, p.lowInclusive());
                p.high().ifPresent(high -> out.message(5, high, DatumCodec::write));
                out.bool(6, p.highInclusive());
            }
            case ColumnPredicate.In p -> out.integer(2, 1).messages(7, p.values(), DatumCodec::write);
            case ColumnPredicate.IsNull p -> out.integer(2, 2);
            case ColumnPredicate.IsNotNull p -> out.integer(2, 3);
        }
    }

    static ColumnPredicate readPredicate(MessageReader in) {
        int column = in.number(1);
        return switch (in.number(2)) {
            case 0 ->
                new ColumnPredicate.Range(
                        column,
                        in.optionalMessage(3, DatumCodec::read),
                        in.bool(4),
                        in.optionalMessage(5, DatumCodec::read),
                        in.bool(6));
            case 1 -> new ColumnPredicate.In(column, in.messages(7, DatumCodec::read));
            case 2 -> new ColumnPredicate.IsNull(column);
            case 3 -> new ColumnPredicate.IsNotNull(column);
            default ->
                throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds a predicate of unknown kind");
        };
    }

    static void writeSplit(MessageWriter out, Split split) {
        out.integer(1, PlanCodec.VERSION)
                .text(2, split.file().path())
                .integer(3, split.file().length())
                .integer(4, split.file().modificationTime())
                .integer(5, split.start())
                .integer(6, split.length())
                .message(7, split.format(), TableCodec::writeFormat)
                .messages(8, split.fileColumns(), TableCodec::writeColumn)
                .messages(9, split.partitionValues(), TableCodec::writePartitionValue)
                .integer(10, split.file().identity());
    }

    private static void writePartitionValue(MessageWriter out, Optional<String> value) {
        value.ifPresent(text -> out.presentText(1, text));
    }

    static Split readSplit(MessageReader in) {
        return new Split(
                new FileVersion(in.text(2), in.integer(3), in.integer(4), in.integer(10)),
                in.integer(5),
                in.integer(6),
                in.message(7, TableCodec::readFormat),
                in.messages(8, TableCodec::readColumn),
                in.messages(9, m -> m.has(1) ? Optional.of(m.text(1)) : Optional.empty()));
    }
}
