package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SKEWED BY (columns) ON (values). With STORED AS DIRECTORIES rows are divided among folders by these values
 * ({@link io.skep.metastore.ListBuckets}).
 */
public final class SkewClause {
    private SkewClause() {}

    /** @param clause TOK_TABLESKEWED */
    public static Skew of(SyntaxNode clause, List<FieldSchema> tableColumns) {
        List<String> columns =
                clause.child(0).children().stream().map(SyntaxText::identifier).toList();
        List<String> known = tableColumns.stream().map(FieldSchema::name).toList();
        for (String column : columns) {
            if (Collections.frequency(columns, column) > 1) {
                throw error(
                        clause,
                        ErrorMsg.SKEWED_TABLE_DUPLICATE_COLUMN_NAMES,
                        ErrorMsg.SKEWED_TABLE_DUPLICATE_COLUMN_NAMES.getMsg() + " " + column);
            }
            if (!known.contains(column)) {
                throw error(
                        clause,
                        ErrorMsg.SKEWED_TABLE_INVALID_COLUMN,
                        ErrorMsg.SKEWED_TABLE_INVALID_COLUMN.getMsg() + " " + column + " ");
            }
        }
        List<List<String>> values = values(clause.child(1));
        for (List<String> value : values) {
            if (value.size() != columns.size()) {
                throw error(
                        clause,
                        ErrorMsg.SKEWED_TABLE_SKEWED_COL_NAME_VALUE_MISMATCH_3,
                        ErrorMsg.SKEWED_TABLE_SKEWED_COL_NAME_VALUE_MISMATCH_3.getMsg() + columns.size() + " : "
                                + value.size());
            }
        }
        return new Skew(columns, values, clause.has(HiveParser.TOK_STOREDASDIRS), Map.of());
    }

    /** Returns the values: single values of one column, or lists with one value for each column. */
    private static List<List<String>> values(SyntaxNode node) {
        if (node.is(HiveParser.TOK_TABCOLVALUE)) {
            return node.children().stream().map(value -> List.of(text(value))).toList();
        }
        List<List<String>> values = new ArrayList<>();
        for (SyntaxNode pair : node.children()) {
            SyntaxNode list = pair.is(HiveParser.TOK_TABCOLVALUES) ? pair.child(0) : pair;
            values.add(list.children().stream().map(SkewClause::text).toList());
        }
        return values;
    }

    /** Returns the value of SET SKEWED LOCATION, as it is written: one text, or a list with one for each column. */
    public static List<String> value(SyntaxNode node) {
        if (node.childCount() == 0) {
            return List.of(node.is(HiveParser.StringLiteral) ? SyntaxText.string(node) : node.source());
        }
        return node.children().stream().flatMap(child -> value(child).stream()).toList();
    }

    /** Returns a value in lower case, as Hive stores it. */
    private static String text(SyntaxNode value) {
        String text = value.is(HiveParser.StringLiteral) ? SyntaxText.string(value) : value.source();
        return text.toLowerCase(Locale.ROOT);
    }

    private static SkepException error(SyntaxNode where, ErrorMsg error, String words) {
        return CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, error, words);
    }
}
