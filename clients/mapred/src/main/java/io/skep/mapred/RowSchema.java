package io.skep.mapred;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of rows: names and types. */
public final class RowSchema {
    private final Schema arrow;
    private final List<String> names;
    private final Map<String, Integer> positions = new HashMap<>();

    public RowSchema(Schema arrow) {
        this.arrow = arrow;
        this.names = arrow.getFields().stream().map(Field::getName).toList();
        for (int i = names.size() - 1; i >= 0; i--) {
            positions.put(names.get(i).toLowerCase(Locale.ROOT), i);
        }
    }

    /** Returns the columns as Arrow has them. */
    public Schema arrow() {
        return arrow;
    }

    public List<String> names() {
        return names;
    }

    /** Returns Hive's names of the types. Arrow has one type for all texts, which is {@code string}. */
    public List<String> typeNames() {
        return arrow.getFields().stream().map(RowSchema::typeName).toList();
    }

    /**
     * Returns the position of a column, the first one of that name in any case.
     *
     * @throws IllegalArgumentException when there is none
     */
    public int indexOf(String name) {
        Integer index = positions.get(name.toLowerCase(Locale.ROOT));
        if (index == null) {
            throw new IllegalArgumentException("there is no column '" + name + "'; there are " + names);
        }
        return index;
    }

    @Override
    public String toString() {
        return arrow.getFields().stream()
                .map(field -> field.getName() + ":" + typeName(field))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String typeName(Field field) {
        ArrowType type = field.getType();
        List<Field> children = field.getChildren();
        return switch (type.getTypeID()) {
            case Null -> "void";
            case Bool -> "boolean";
            case Int -> integer(((ArrowType.Int) type).getBitWidth());
            case FloatingPoint ->
                ((ArrowType.FloatingPoint) type).getPrecision() == FloatingPointPrecision.SINGLE ? "float" : "double";
            case Utf8 -> "string";
            case Binary -> "binary";
            case Date -> "date";
            case Timestamp ->
                ((ArrowType.Timestamp) type).getTimezone() == null ? "timestamp" : "timestamp with local time zone";
            case Interval -> "interval year to month";
            case Decimal -> {
                ArrowType.Decimal decimal = (ArrowType.Decimal) type;
                yield "decimal(" + decimal.getPrecision() + "," + decimal.getScale() + ")";
            }
            case List -> "array<" + typeName(children.get(0)) + ">";
            case Struct ->
                children.stream()
                        .map(child -> child.getName() + ":" + typeName(child))
                        .collect(Collectors.joining(",", "struct<", ">"));
            case Map -> {
                List<Field> entry = children.get(0).getChildren();
                yield "map<" + typeName(entry.get(0)) + "," + typeName(entry.get(1)) + ">";
            }
            default -> throw new IllegalArgumentException("a column of the type " + type);
        };
    }

    private static String integer(int bits) {
        return switch (bits) {
            case 8 -> "tinyint";
            case 16 -> "smallint";
            case 32 -> "int";
            default -> "bigint";
        };
    }
}
