package io.skep.llap.server.cache;

import static io.skep.llap.server.cache.SampleColumns.TEXT;
import static io.skep.llap.server.cache.SampleColumns.schema;
import static io.skep.llap.server.cache.SampleColumns.serde;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TestColumnSchema {
    private static final Column ID = new Column("id", PrimitiveType.INT);

    @Test
    void namesOfOneHashAreDifferentColumns() {
        assertThat("an").hasSameHashCodeAs("c0");
        ColumnSchema an =
                schema(TEXT, List.of(ID, new Column("an", PrimitiveType.INT))).column(1);
        ColumnSchema c0 =
                schema(TEXT, List.of(ID, new Column("c0", PrimitiveType.INT))).column(1);
        assertThat(an).isNotEqualTo(c0);
        assertThat(new ChunkKey(file(), an, 0)).isNotEqualTo(new ChunkKey(file(), c0, 0));
    }

    @Test
    void eachTypeIsAnotherColumn() {
        SqlType twoFields = new StructType(List.of(field("a", PrimitiveType.INT), field("b", PrimitiveType.INT)));
        SqlType oneField = new StructType(List.of(field("a:int,b", PrimitiveType.INT)));
        assertThat(oneField.displayName()).isEqualTo(twoFields.displayName());
        List<SqlType> types = Stream.concat(
                        Stream.of(PrimitiveType.values()),
                        Stream.of(
                                new DecimalType(10, 2),
                                new DecimalType(10, 3),
                                new DecimalType(11, 2),
                                new CharType(3),
                                new CharType(4),
                                new VarcharType(3),
                                new VarcharType(4),
                                new ArrayType(PrimitiveType.INT),
                                new ArrayType(new ArrayType(PrimitiveType.INT)),
                                new MapType(PrimitiveType.INT, PrimitiveType.STRING),
                                new MapType(PrimitiveType.STRING, PrimitiveType.INT),
                                twoFields,
                                oneField,
                                new UnionType(List.of(PrimitiveType.INT)),
                                new UnionType(List.of(PrimitiveType.INT, PrimitiveType.INT))))
                .toList();
        Set<ColumnSchema> schemas = new HashSet<>();
        types.forEach(type ->
                schemas.add(schema(TEXT, List.of(new Column("x", type))).column(0)));
        assertThat(schemas).hasSize(types.size());
    }

    @Test
    void positionNameAndFormatTellColumnsApart() {
        FileSchema schema = schema(TEXT, List.of(ID, ID));
        assertThat(schema.column(0)).isNotEqualTo(schema.column(1));
        assertThat(schema.column(0)).isNotEqualTo(schema.column(FileSchema.ROW_COUNT));
        assertThat(schema.column(0)).isNotEqualTo(ColumnSchema.BLOCKS);
        Set<ColumnSchema> formats = new HashSet<>();
        for (TableFormat format : List.of(
                TEXT,
                with(Map.of("field.delim", ",")),
                with(Map.of("field.delim", ";")),
                with(Map.of("field.delim", ",", "escape.delim", "\\")),
                new TableFormat(TEXT.inputFormat(), "other", TEXT.serde(), Map.of()),
                new TableFormat("other", TEXT.outputFormat(), TEXT.serde(), Map.of()))) {
            formats.add(schema(format, List.of(ID)).column(0));
        }
        assertThat(formats).hasSize(6);
    }

    @Test
    void anotherColumnChangesNothingUnlessItDecides() {
        List<Column> before = List.of(ID);
        List<Column> after = List.of(ID, new Column("added", PrimitiveType.STRING));
        for (TableFormat format : List.of(
                TEXT,
                of(serde("JsonSerDe")),
                of(serde("columnar.LazyBinaryColumnarSerDe")),
                of("org.apache.hadoop.hive.ql.io.orc.OrcSerde"),
                of("org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"))) {
            assertThat(schema(format, after).column(0))
                    .isEqualTo(schema(format, before).column(0))
                    .hasSameHashCodeAs(schema(format, before).column(0));
            assertThat(schema(format, after).column(FileSchema.ROW_COUNT))
                    .isEqualTo(schema(format, before).column(FileSchema.ROW_COUNT));
        }
        TableFormat rest = with(Map.of("serialization.last.column.takes.rest", "true"));
        for (TableFormat format : List.of(rest, of("org.example.OwnSerDe"), of(serde("RegexSerDe")))) {
            assertThat(schema(format, after).column(0))
                    .isNotEqualTo(schema(format, before).column(0));
        }
    }

    @Test
    void schemasOfEqualSplitsAreOneObject() {
        FileSchema.Pool pool = new FileSchema.Pool();
        FileSchema first = pool.of(new Split(file(), 0, 1, TEXT, List.of(ID), List.of()));
        FileSchema second = pool.of(new Split(file(), 1, 2, with(Map.of()), List.of(ID), List.of()));
        assertThat(second).isSameAs(first);
        assertThat(second.column(0)).isSameAs(first.column(0));
        assertThat(first.column(0).owner()).as("cached columns keep it").isSameAs(first);
    }

    private static StructType.Field field(String name, SqlType type) {
        return new StructType.Field(name, type);
    }

    private static TableFormat with(Map<String, String> properties) {
        return new TableFormat(TEXT.inputFormat(), TEXT.outputFormat(), TEXT.serde(), properties);
    }

    private static TableFormat of(String serde) {
        return new TableFormat("org.apache.hadoop.mapred.KeyValueTextInputFormat", "out", serde, Map.of());
    }

    private static FileVersion file() {
        return new FileVersion("file:/f", 10, 1);
    }
}
