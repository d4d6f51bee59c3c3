package io.skep.llap.server.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.TypeParser;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that come as Arrow: those that were sent, and those that nobody could have made of a table's rows. */
final class TestArrowBatches {
    private final RootAllocator memory = new RootAllocator();

    @AfterEach
    void close() {
        memory.close();
    }

    /**
     * What readers get, writers may send. Values are as many as nulls, also within lists, maps and structs, or no row
     * is null. Half of the vectors have their rows in another order than their buffers.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean",
                "tinyint",
                "smallint",
                "int",
                "bigint",
                "double",
                "string",
                "binary",
                "date",
                "varchar(8)",
                "char(8)",
                "decimal(9,2)",
                "decimal(30,5)",
                "array<int>",
                "array<array<string>>",
                "map<string,bigint>",
                "struct<a:int,b:array<string>>"
            })
    void rowsAreTheSameAfterArrow(String name) {
        SqlType type = TypeParser.parse(name);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        VectorAppender column = VectorAppender.of(type);
        int rows = 1 + random.nextInt(1500);
        boolean nulls = random.nextBoolean();
        for (int row = 0; row < rows; row++) {
            (nulls ? datum(type, random) : value(type, random)).appendTo(column, type);
        }
        Vector built = column.build();
        Vector expected = random.nextBoolean()
                ? built
                : built.select(random.ints(rows, 0, rows).toArray(), rows);
        List<SqlType> types = List.of(type);
        try (VectorSchemaRoot root = VectorSchemaRoot.create(ArrowTypes.schema(List.of("c"), types), memory)) {
            ArrowRows.write(new Batch(List.of(expected), rows), types, root);
            Batch read = ArrowBatches.read(root, types);
            assertThat(read.rowCount()).isEqualTo(rows);
            for (int row = 0; row < rows; row++) {
                assertThat(Datum.of(read.column(0), row, type))
                        .as("seed %s, row %s", seed, row)
                        .isEqualTo(Datum.of(expected, row, type));
            }
        }
    }

    private static Datum datum(SqlType type, Random random) {
        return random.nextBoolean() ? Datum.NULL : value(type, random);
    }

    private static Datum value(SqlType type, Random random) {
        return switch (type) {
            case PrimitiveType primitive -> value(primitive, random);
            case DecimalType decimal -> {
                BigInteger unscaled = new BigInteger(3 * decimal.precision(), random)
                        .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1));
                yield decimal.precision() <= DecimalType.MAX_SHORT_PRECISION
                        ? new Datum.OfLong(unscaled.longValueExact())
                        : new Datum.OfDecimal(unscaled);
            }
            case CharType _, VarcharType _ -> Datum.ofText("ä".repeat(random.nextInt(9)));
            case ArrayType list -> new Datum.OfList(data(list.element(), random));
            case StructType struct ->
                new Datum.OfList(struct.fields().stream()
                        .map(field -> datum(field.type(), random))
                        .toList());
            case MapType map -> {
                List<Datum> keys = IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> Datum.ofText("k" + i))
                        .toList();
                yield new Datum.OfMap(
                        keys, keys.stream().map(_ -> datum(map.value(), random)).toList());
            }
            case UnionType _ -> throw new IllegalArgumentException(type.displayName());
        };
    }

    private static List<Datum> data(SqlType type, Random random) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(_ -> datum(type, random))
                .toList();
    }

    private static Datum value(PrimitiveType type, Random random) {
        return switch (type) {
            case BOOLEAN -> new Datum.OfLong(random.nextInt(2));
            case TINYINT -> new Datum.OfLong((byte) random.nextInt());
            case SMALLINT -> new Datum.OfLong((short) random.nextInt());
            case INT -> new Datum.OfLong(random.nextInt());
            case DATE -> new Datum.OfLong(random.nextInt(-700_000, 2_900_000));
            case DOUBLE -> new Datum.OfDouble(random.nextGaussian());
            case STRING, BINARY -> Datum.ofText("ä😀".repeat(random.nextInt(9)));
            case TIMESTAMP ->
                new Datum.OfTimestamp(
                        random.nextLong(-60_000_000_000L, 250_000_000_000L), random.nextInt(1_000_000) * 1000);
            default -> new Datum.OfLong(random.nextLong());
        };
    }

    private static final List<String> NAMES = List.of("w", "l", "m");

    private static final List<SqlType> TYPES = Stream.of("varchar(3)", "array<int>", "map<string,int>")
            .map(TypeParser::parse)
            .toList();

    /** Offsets, counts and values of which no memory must be allocated, and no value be read. */
    @Test
    void damagedBatchesAreRefused() {
        damaged(root -> root.getVector("w").getOffsetBuffer().setInt(4, Integer.MAX_VALUE));
        damaged(root -> root.getVector("w").getOffsetBuffer().setInt(0, -1));
        damaged(root -> root.getVector("w").getOffsetBuffer().setInt(8, 0));
        damaged(root -> root.getVector("l").getOffsetBuffer().setInt(12, Integer.MAX_VALUE));
        damaged(root -> root.getVector("m").getOffsetBuffer().setInt(4, -1));
        damaged(root -> root.getVector("w").setValueCount(2));
        assertThat(codeOf(root -> ((org.apache.arrow.vector.complex.ListVector) root.getVector("l"))
                        .getDataVector()
                        .setValueCount(ArrowBatches.MAX_VALUES + 1)))
                .isEqualTo(StandardErrorCode.INVALID_ARGUMENT);
    }

    private void damaged(Consumer<VectorSchemaRoot> change) {
        assertThat(codeOf(change)).isEqualTo(StandardErrorCode.DAMAGED_MESSAGE);
    }

    private StandardErrorCode codeOf(Consumer<VectorSchemaRoot> change) {
        List<Datum> values = List.of(
                Datum.ofText("abc"),
                new Datum.OfList(List.of(new Datum.OfLong(1), Datum.NULL)),
                new Datum.OfMap(List.of(Datum.ofText("k")), List.of(new Datum.OfLong(7))));
        List<Vector> columns = IntStream.range(0, values.size())
                .mapToObj(i -> (Vector) new ConstantVector(values.get(i).toVector(TYPES.get(i)), 3))
                .toList();
        try (VectorSchemaRoot root = VectorSchemaRoot.create(ArrowTypes.schema(NAMES, TYPES), memory)) {
            ArrowRows.write(new Batch(columns, 3), TYPES, root);
            assertThat(ArrowBatches.read(root, TYPES).rowCount()).isEqualTo(3);
            change.accept(root);
            try {
                ArrowBatches.read(root, TYPES);
            } catch (SkepException e) {
                return e.code();
            }
            throw new AssertionError("it was read");
        }
    }
}
