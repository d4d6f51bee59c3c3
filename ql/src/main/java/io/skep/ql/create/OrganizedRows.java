package io.skep.ql.create;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * How the rows of a materialized view are divided into files and sorted in them: CLUSTERED ON, or DISTRIBUTED ON with
 * SORTED ON. Stored in Hive's properties of the view.
 */
record OrganizedRows(List<String> distributed, List<String> sorted) {
    private static final String DISTRIBUTED = "materializedview.distribute.columns";
    private static final String SORTED = "materializedview.sort.columns";
    private static final ObjectMapper JSON = new ObjectMapper();

    static OrganizedRows of(SyntaxNode statement) {
        List<String> clustered = columns(statement, HiveParser.TOK_VIEWCLUSTERCOLS);
        return clustered.isEmpty()
                ? new OrganizedRows(
                        columns(statement, HiveParser.TOK_VIEWDISTRIBUTECOLS),
                        columns(statement, HiveParser.TOK_VIEWSORTCOLS))
                : new OrganizedRows(clustered, clustered);
    }

    /** Returns the columns that a clause names, such as TOK_VIEWPARTCOLS. */
    static List<String> columns(SyntaxNode statement, int clause) {
        return statement
                .first(clause)
                .map(node -> node.child(0).children().stream()
                        .map(SyntaxText::identifier)
                        .toList())
                .orElse(List.of());
    }

    static OrganizedRows of(Map<String, String> properties) {
        return new OrganizedRows(stored(properties, DISTRIBUTED), stored(properties, SORTED));
    }

    private static List<String> stored(Map<String, String> properties, String name) {
        try {
            String value = properties.get(name);
            return value == null ? List.of() : List.of(JSON.readValue(value, String[].class));
        } catch (JsonProcessingException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "property " + name + " is no list of columns", e);
        }
    }

    void store(Map<String, String> properties) {
        store(properties, DISTRIBUTED, distributed);
        store(properties, SORTED, sorted);
    }

    private static void store(Map<String, String> properties, String name, List<String> columns) {
        if (!columns.isEmpty()) {
            try {
                properties.put(name, JSON.writeValueAsString(columns));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    boolean isEmpty() {
        return distributed.isEmpty() && sorted.isEmpty();
    }

    /** Refuses columns that the query does not have, and partition columns, whose rows have one value. */
    void check(QueryColumns columns, SyntaxNode statement) {
        List<String> names = QueryColumns.names(columns.all());
        check(distributed, "distribute", names, columns.keyNames(), statement);
        check(sorted, "sort", names, columns.keyNames(), statement);
    }

    private static void check(
            List<String> wanted, String clause, List<String> names, List<String> keys, SyntaxNode statement) {
        for (String column : wanted) {
            if (!names.contains(column)) {
                throw MaterializedViewQuery.refused(
                        statement.position(),
                        "Table declaration contains cluster/" + clause
                                + " columns that are not present in query result schema. Query columns: " + names
                                + ". Organization columns: " + wanted);
            }
            if (keys.contains(column)) {
                throw MaterializedViewQuery.refused(
                        statement.position(),
                        "Same column cannot be present in partition and cluster/" + clause + " clause. Column name: "
                                + column);
            }
        }
    }

    /** Returns the clauses that give the rows of a query this order. */
    String clauses() {
        return clause(" DISTRIBUTE BY ", distributed) + clause(" SORT BY ", sorted);
    }

    private static String clause(String words, List<String> columns) {
        return columns.isEmpty()
                ? ""
                : columns.stream().map(HiveSqlParser::quoted).collect(Collectors.joining(", ", words, ""));
    }
}
