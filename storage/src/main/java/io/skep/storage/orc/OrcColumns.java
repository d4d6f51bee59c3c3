package io.skep.storage.orc;

import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/**
 * Where columns are in a file. Usually they are the fields of its root. In a file of a transactional table with row
 * identifiers, the root has the {@link AcidColumn}s, and the table's columns are the fields of the struct {@code row}.
 */
final class OrcColumns {
    /** The fields of the root in a file with row identifiers. */
    static final List<String> EVENT_FIELDS = List.of(
            "operation",
            AcidColumn.WRITE_ID.storedName(),
            AcidColumn.BUCKET.storedName(),
            AcidColumn.ROW_ID.storedName(),
            AcidColumn.CURRENT_WRITE_ID.storedName(),
            "row");

    private static final int ROW = EVENT_FIELDS.size() - 1;

    private static final int AT_ROOT = -1;

    private final TypeDescription schema = TypeDescription.createStruct();
    private final int[] roots;
    private final int[] fields;

    /** @param events whether the file has row identifiers */
    OrcColumns(List<Column> columns, boolean events) {
        this.roots = new int[columns.size()];
        this.fields = new int[columns.size()];
        List<Integer> nested = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            int acid = events ? AcidColumn.COLUMNS.indexOf(column) : -1;
            if (events && acid < 0) {
                nested.add(i);
                continue;
            }
            roots[i] = schema.getChildren().size();
            fields[i] = AT_ROOT;
            String name = acid < 0 ? column.name() : AcidColumn.values()[acid].storedName();
            schema.addField(name, OrcTypes.of(column.type()));
        }
        if (!nested.isEmpty()) {
            TypeDescription row = TypeDescription.createStruct();
            for (int i : nested) {
                roots[i] = columns.size() - nested.size();
                fields[i] = row.getChildren().size();
                row.addField(columns.get(i).name(), OrcTypes.of(columns.get(i).type()));
            }
            schema.addField(EVENT_FIELDS.get(ROW), row);
        }
    }

    /** Whether a file of this schema has row identifiers. */
    static boolean events(TypeDescription schema) {
        return schema.getCategory() == TypeDescription.Category.STRUCT
                && schema.getFieldNames().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList()
                        .equals(EVENT_FIELDS.stream()
                                .map(name -> name.toLowerCase(Locale.ROOT))
                                .toList());
    }

    /**
     * Returns the names of the table's columns, by which the fields of {@link #row} are found. Hive finds them by their
     * positions, also after columns have got other names.
     */
    static List<String> dataColumns(Split split) {
        return split.fileColumns().stream()
                .filter(column -> !AcidColumn.COLUMNS.contains(column))
                .map(Column::name)
                .toList();
    }

    /** Returns the struct with the table's columns in the schema of a file with row identifiers. */
    static TypeDescription row(TypeDescription schema) {
        return schema.getChildren().get(ROW);
    }

    /**
     * Returns a schema with another struct of the table's columns, and with another name of the operation. The library
     * would expect that every reader of the usual names reads all fields.
     */
    static TypeDescription renamed(TypeDescription schema, TypeDescription row) {
        TypeDescription renamed = TypeDescription.createStruct();
        renamed.addField(
                "event." + EVENT_FIELDS.getFirst(),
                schema.getChildren().getFirst().clone());
        for (int i = 1; i < ROW; i++) {
            renamed.addField(EVENT_FIELDS.get(i), schema.getChildren().get(i).clone());
        }
        renamed.addField(EVENT_FIELDS.get(ROW), row.clone());
        return renamed;
    }

    /** Returns the schema with which a reader asks for the columns. */
    TypeDescription schema() {
        return schema;
    }

    /** Returns the type of a column in a schema like {@link #schema}. */
    TypeDescription type(TypeDescription readerSchema, int column) {
        TypeDescription root = readerSchema.getChildren().get(roots[column]);
        return fields[column] == AT_ROOT ? root : root.getChildren().get(fields[column]);
    }

    /** Returns the values of a column, or null if all are null. */
    @Nullable
    ColumnVector vector(ColumnVector[] vectors, int column) {
        ColumnVector root = vectors[roots[column]];
        if (fields[column] == AT_ROOT) {
            return root;
        }
        boolean nothing = !root.noNulls && root.isRepeating && root.isNull[0];
        return nothing ? null : ((StructColumnVector) root).fields[fields[column]];
    }
}
