package io.skep.ql.statement;

import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The text of a view's query as it is kept: tables with their databases, so that it means the same in any session. */
final class ViewText {
    private ViewText() {}

    /** @param query what stands behind AS */
    static String qualified(SyntaxNode query, String currentDatabase) {
        Set<String> common = new HashSet<>();
        for (SyntaxNode with : query.descendants(HiveParser.TOK_CTE)) {
            for (SyntaxNode part : with.children()) {
                common.add(Texts.identifier(part.child(part.childCount() - 1)));
            }
        }
        List<SyntaxNode> names = new ArrayList<>();
        for (SyntaxNode reference : query.descendants(HiveParser.TOK_TABREF)) {
            SyntaxNode name = reference.child(0);
            if (name.childCount() == 1 && !common.contains(Texts.identifier(name.child(0)))) {
                names.add(name);
            }
        }
        names.sort(Comparator.comparingInt(SyntaxNode::offset).reversed());
        StringBuilder text = new StringBuilder(query.source());
        for (SyntaxNode name : names) {
            int start = name.offset() - query.offset();
            String full = "`" + currentDatabase + "`.`" + Texts.identifier(name.child(0)) + "`";
            text.replace(start, start + name.source().length(), full);
        }
        return text.toString().strip();
    }

    /** The same query with other names for its columns. */
    static String renamed(String query, List<String> names, List<FieldSchema> columns, String view) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            items.add(quoted(names.get(i)) + " AS " + quoted(columns.get(i).name()));
        }
        return items.stream().collect(Collectors.joining(", ", "SELECT ", "")) + " FROM (" + query + ") "
                + quoted(view.toLowerCase(Locale.ROOT));
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
