package io.skep.engine.operator;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.storage.table.PartitionText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Folder names of dynamic partitions, {@code k=v/k=v}, escaped as in Hive. Owned by one thread. */
final class PartitionNames implements AutoCloseable {
    private static final String ESCAPED = "\"#%'*/:=?\\{[]^\u007f";

    private final List<String> columns;
    private final List<SqlType> types;
    private final String defaultName;
    private final List<ScalarFunction> toText = new ArrayList<>();

    /** @param defaultName the name for null and empty text */
    PartitionNames(List<String> columns, List<SqlType> types, String defaultName, FunctionRegistry functions) {
        this.columns = List.copyOf(columns);
        this.types = List.copyOf(types);
        this.defaultName = defaultName;
        types.forEach(type -> toText.add(functions.cast(type, PrimitiveType.STRING)));
    }

    /** Returns the names for rows of values. */
    List<String> of(List<Vector> values, int rows) {
        List<StringBuilder> names = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            names.add(new StringBuilder());
        }
        for (int column = 0; column < columns.size(); column++) {
            Vector text = toText.get(column)
                    .evaluate(new Vector[] {values.get(column).flatten()}, rows)
                    .flatten();
            for (int row = 0; row < rows; row++) {
                StringBuilder name = names.get(row);
                name.append(column == 0 ? "" : "/");
                escape(columns.get(column), name);
                name.append('=');
                String value =
                        text.isNull(row) ? "" : PartitionText.of(((BytesVector) text).string(row), types.get(column));
                escape(value.isEmpty() ? defaultName : value, name);
            }
        }
        return names.stream().map(StringBuilder::toString).toList();
    }

    private static void escape(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
                out.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
            } else {
                out.append(c);
            }
        }
    }

    @Override
    public void close() {
        toText.forEach(ScalarFunction::close);
    }
}
