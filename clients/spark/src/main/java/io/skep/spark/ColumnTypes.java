package io.skep.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.VarcharType;

/**
 * Hive's types as Spark's, in the way of Spark's own Hive tables: TIMESTAMP is what {@code spark.sql.timestampType}
 * says, CHAR and VARCHAR keep their lengths. A column of TIMESTAMP WITH LOCAL TIME ZONE is marked, since Spark has the
 * same type for it.
 */
final class ColumnTypes {
    /** The server's key for the Hive type of a field whose Arrow type does not tell it. */
    private static final String HIVE_TYPE = "HIVE:type";

    private static final String PARTITION = "skep.partition";
    private static final String INSTANT = "skep.instant";
    private static final Metadata OF_INSTANTS =
            new MetadataBuilder().putBoolean(INSTANT, true).build();
    private static final Pattern ZONED = Pattern.compile("timestamp with (local )?time zone");

    private ColumnTypes() {}

    /** @throws IllegalArgumentException when Spark has no such type */
    static StructField described(String name, String hiveType) {
        String type = hiveType.toLowerCase(Locale.ROOT);
        try {
            DataType known = DataType.fromDDL(ZONED.matcher(type)
                    .replaceAll("timestamp_ltz")
                    .replace("interval_year_month", "interval year to month"));
            return field(name, known, ZONED.matcher(type).matches());
        } catch (Exception e) {
            if (e instanceof RuntimeException other && !e.getClass().getName().startsWith("org.apache.spark.")) {
                throw other;
            }
            throw new IllegalArgumentException(
                    "Skep: Spark has no type for column " + name + " of type " + hiveType
                            + "; use the option query with a cast",
                    e);
        }
    }

    private static StructField field(String name, DataType type, boolean instant) {
        return new StructField(name, type, true, instant ? OF_INSTANTS : Metadata.empty());
    }

    /** Returns the same column of a table, as one by which it is partitioned. */
    static StructField ofPartitions(StructField column) {
        return new StructField(
                column.name(),
                column.dataType(),
                column.nullable(),
                new MetadataBuilder()
                        .withMetadata(column.metadata())
                        .putBoolean(PARTITION, true)
                        .build());
    }

    /** Returns by which columns a table is partitioned. */
    static Transform[] partitions(StructType table) {
        return Arrays.stream(table.fields())
                .filter(column -> column.metadata().contains(PARTITION))
                .map(column -> Expressions.identity(SqlText.name(column.name())))
                .toArray(Transform[]::new);
    }

    /** Whether a column has instants in Hive too, not wall clocks. */
    static boolean isInstant(StructField column) {
        return column.metadata().contains(INSTANT);
    }

    /** Returns the columns of rows that come as Arrow. */
    static StructType of(Schema schema) {
        List<StructField> fields = new ArrayList<>();
        for (Field field : schema.getFields()) {
            fields.add(of(field));
        }
        return new StructType(fields.toArray(new StructField[0]));
    }

    private static StructField of(Field field) {
        boolean instant = field.getType() instanceof ArrowType.Timestamp time && time.getTimezone() != null;
        return field(field.getName(), type(field), instant);
    }

    private static DataType type(Field field) {
        ArrowType type = field.getType();
        if (type instanceof ArrowType.List) {
            return DataTypes.createArrayType(type(field.getChildren().get(0)), true);
        }
        if (type instanceof ArrowType.Struct) {
            return new StructType(
                    field.getChildren().stream().map(ColumnTypes::of).toArray(StructField[]::new));
        }
        if (type instanceof ArrowType.Map) {
            List<Field> entry = field.getChildren().get(0).getChildren();
            return DataTypes.createMapType(type(entry.get(0)), type(entry.get(1)), true);
        }
        if (type instanceof ArrowType.Utf8) {
            String hive = field.getMetadata().get(HIVE_TYPE);
            return hive == null ? DataTypes.StringType : DataType.fromDDL(hive);
        }
        return plain(field, type);
    }

    private static DataType plain(Field field, ArrowType type) {
        if (type instanceof ArrowType.Int integer) {
            return switch (integer.getBitWidth()) {
                case Byte.SIZE -> DataTypes.ByteType;
                case Short.SIZE -> DataTypes.ShortType;
                case Integer.SIZE -> DataTypes.IntegerType;
                default -> DataTypes.LongType;
            };
        }
        if (type instanceof ArrowType.FloatingPoint number) {
            return number.getPrecision() == FloatingPointPrecision.SINGLE ? DataTypes.FloatType : DataTypes.DoubleType;
        }
        if (type instanceof ArrowType.Decimal decimal) {
            return DataTypes.createDecimalType(decimal.getPrecision(), decimal.getScale());
        }
        if (type instanceof ArrowType.Timestamp time) {
            return time.getTimezone() == null ? DataType.fromDDL("timestamp") : DataTypes.TimestampType;
        }
        return switch (type.getTypeID()) {
            case Null -> DataTypes.NullType;
            case Bool -> DataTypes.BooleanType;
            case Binary -> DataTypes.BinaryType;
            case Date -> DataTypes.DateType;
            case Interval -> DataTypes.createYearMonthIntervalType();
            default ->
                throw new IllegalArgumentException(
                        "Skep: Spark cannot read column " + field.getName() + " of Arrow type " + type);
        };
    }

    /** Whether wall clocks stay what they are, and are not made instants. One schema has one kind of them. */
    static boolean hasWallClocks(DataType type) {
        if (type instanceof ArrayType list) {
            return hasWallClocks(list.elementType());
        }
        if (type instanceof MapType map) {
            return hasWallClocks(map.keyType()) || hasWallClocks(map.valueType());
        }
        if (type instanceof StructType struct) {
            return Arrays.stream(struct.fields()).anyMatch(field -> hasWallClocks(field.dataType()));
        }
        return type instanceof TimestampNTZType;
    }

    /** Whether rows of one type can be read as those of the other: lengths of texts do not matter. */
    static boolean sameForm(DataType one, DataType other) {
        return withoutLengths(one).equals(withoutLengths(other));
    }

    private static DataType withoutLengths(DataType type) {
        if (type instanceof CharType || type instanceof VarcharType) {
            return DataTypes.StringType;
        }
        if (type instanceof ArrayType list) {
            return DataTypes.createArrayType(withoutLengths(list.elementType()), true);
        }
        if (type instanceof MapType map) {
            return DataTypes.createMapType(withoutLengths(map.keyType()), withoutLengths(map.valueType()), true);
        }
        if (type instanceof StructType struct) {
            StructType plain = new StructType();
            for (StructField field : struct.fields()) {
                plain = plain.add(field.name(), withoutLengths(field.dataType()), true);
            }
            return plain;
        }
        return type;
    }

    /** Whether values are texts that HiveQL and Spark compare byte by byte. Those of CHAR have no trailing spaces. */
    static boolean isText(DataType type) {
        return type.equals(DataTypes.StringType) || type instanceof VarcharType;
    }

    /**
     * Whether HiveQL and Spark agree about which values are equal and which one is less. They do not for floating point
     * numbers (NaN), CHAR (spaces) and timestamps (digits below the microsecond, hours that a zone has twice).
     */
    static boolean isExact(DataType type) {
        return isText(type) || isInteger(type) || type instanceof DateType || type instanceof DecimalType;
    }

    static boolean isInteger(DataType type) {
        return type instanceof ByteType
                || type instanceof ShortType
                || type instanceof IntegerType
                || type instanceof LongType;
    }

    static boolean isBoolean(DataType type) {
        return type instanceof BooleanType;
    }
}
