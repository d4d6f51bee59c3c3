package io.skep.ql.create;

import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.HiveSqlParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of a view's query in its stored form. */
final class ViewText {
    private ViewText() {}

    /** Returns the query with other names for its columns. */
    static String renamed(String query, List<String> names, List<FieldSchema> columns, String view) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            items.add(quoted(names.get(i)) + " AS " + quoted(columns.get(i).name()));
        }
        return selecting(items, query, view);
    }

    /** Returns the query with its columns in another order. */
    static String selected(String query, List<FieldSchema> columns, String view) {
        return selecting(columns.stream().map(column -> quoted(column.name())).toList(), query, view);
    }

    private static String selecting(List<String> items, String query, String view) {
        return "SELECT " + String.join(", ", items) + " FROM (" + query + ") " + quoted(view.toLowerCase(Locale.ROOT));
    }

    private static String quoted(String name) {
        return HiveSqlParser.quoted(name);
    }
}
