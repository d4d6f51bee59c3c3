package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.StringLiterals;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Reads the clause ROW FORMAT DELIMITED. */
public final class RowFormats {
    private static final Map<Integer, List<String>> DELIMITERS = Map.of(
            HiveParser.TOK_TABLEROWFORMATFIELD, List.of("field.delim", "serialization.format"),
            HiveParser.TOK_TABLEROWFORMATCOLLITEMS, List.of("collection.delim"),
            HiveParser.TOK_TABLEROWFORMATMAPKEYS, List.of("mapkey.delim"),
            HiveParser.TOK_TABLEROWFORMATLINES, List.of("line.delim"),
            HiveParser.TOK_TABLEROWFORMATNULL, List.of("serialization.null.format"));

    /** A line feed, and its number. */
    private static final Set<String> LINE_ENDS = Set.of("\n", "10");

    private RowFormats() {}

    /**
     * Returns the properties of the SerDe that the clauses stand for. Hive reads lines that end with a line feed,
     * and refuses all other ends.
     *
     * @param rowFormat TOK_SERDEPROPS
     */
    public static Map<String, String> delimiters(SyntaxNode rowFormat) {
        Map<String, String> properties = new TreeMap<>();
        for (SyntaxNode clause : rowFormat.children()) {
            List<String> keys = DELIMITERS.get(clause.type());
            if (keys == null) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED, "unknown clause of ROW FORMAT: " + clause.source())
                        .at(clause.position());
            }
            String value = StringLiterals.value(clause.child(0));
            if (clause.is(HiveParser.TOK_TABLEROWFORMATLINES) && !LINE_ENDS.contains(value)) {
                throw CompileErrors.near(
                        clause.child(0),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.LINES_TERMINATED_BY_NON_NEWLINE.getMsg());
            }
            keys.forEach(key -> properties.put(key, value));
            if (clause.is(HiveParser.TOK_TABLEROWFORMATFIELD) && clause.childCount() > 1) {
                properties.put("escape.delim", StringLiterals.value(clause.child(1)));
            }
        }
        return properties;
    }
}
