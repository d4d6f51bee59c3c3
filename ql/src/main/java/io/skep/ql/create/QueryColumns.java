package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * The columns of a table or materialized view that is created from a query.
 *
 * @param all in the order of the query
 * @param keys the partition columns, in the order of the clause that names them
 */
record QueryColumns(List<FieldSchema> all, List<FieldSchema> keys) {
    /** @param partitioning names of the partition columns, which are columns of the query */
    static QueryColumns of(AnalyzedQuery query, List<String> partitioning, SyntaxNode statement) {
        List<FieldSchema> columns = columns(query, statement);
        List<FieldSchema> keys = new ArrayList<>();
        for (String key : partitioning) {
            keys.add(columns.stream()
                    .filter(column -> column.name().equals(key))
                    .findFirst()
                    .orElseThrow(() -> CompileErrors.plain(
                            statement.position(),
                            StandardErrorCode.SEMANTIC_ERROR,
                            ErrorMsg.GENERIC_ERROR,
                            "Table declaration contains partition columns that are not present in query result"
                                    + " schema. Query columns: " + names(columns) + ". Partition columns: "
                                    + partitioning)));
        }
        return new QueryColumns(columns, keys);
    }

    private static List<FieldSchema> columns(AnalyzedQuery query, SyntaxNode statement) {
        List<FieldSchema> columns = new ArrayList<>();
        for (int i = 0; i < query.names().size(); i++) {
            SqlType type = query.types().get(i);
            if (type == PrimitiveType.VOID) {
                throw CompileErrors.plain(
                        statement.position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.CTAS_CREATES_VOID_TYPE,
                        ErrorMsg.CTAS_CREATES_VOID_TYPE.getMsg() + " "
                                + query.names().get(i));
            }
            columns.add(new FieldSchema(name(query, i), type, Optional.empty()));
        }
        return columns;
    }

    /**
     * Returns a column's name. A name that the query uses a second time is replaced, unless it is the name of a table's
     * column, qualified in full.
     */
    private static String name(AnalyzedQuery query, int index) {
        String name = query.names().get(index);
        String shown = query.columns().get(index).name();
        boolean again = query.names().subList(0, index).contains(name);
        return again && shown.indexOf('.') < 0 ? shown : name;
    }

    static List<String> names(List<FieldSchema> columns) {
        return columns.stream().map(FieldSchema::name).toList();
    }

    /** Returns the columns that are stored in files. */
    List<FieldSchema> data() {
        return all.stream().filter(column -> !keys.contains(column)).toList();
    }

    List<String> keyNames() {
        return names(keys);
    }

    /** Returns the columns as an INSERT would list them; none if their order is that of the table. */
    List<String> listed() {
        return keys.isEmpty() ? List.of() : names(all);
    }
}
