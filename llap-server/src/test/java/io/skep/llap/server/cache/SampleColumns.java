package io.skep.llap.server.cache;

import io.skep.common.type.PrimitiveType;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Column schemas for keys. */
public final class SampleColumns {
    public static final TableFormat TEXT =
            new TableFormat("org.apache.hadoop.mapred.TextInputFormat", "out", serde("lazy.LazySimpleSerDe"), Map.of());

    private static final FileSchema TEN = schema(
            TEXT,
            IntStream.range(0, 10)
                    .mapToObj(i -> new Column("c" + i, PrimitiveType.INT))
                    .toList());

    private SampleColumns() {}

    static String serde(String name) {
        return "org.apache.hadoop.hive.serde2." + name;
    }

    /** Returns one of ten columns. */
    public static ColumnSchema column(int ordinal) {
        return TEN.column(ordinal);
    }

    public static FileSchema schema(TableFormat format, List<Column> columns) {
        FileVersion file = new FileVersion("file:/f", 1, 1);
        return new FileSchema.Pool().of(new Split(file, 0, 1, format, columns, List.of()));
    }
}
