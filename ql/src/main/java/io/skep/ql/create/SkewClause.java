package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SKEWED BY (columns) ON (values). It is stored and shown. STORED AS DIRECTORIES, which would split the values into
 * folders, is refused.
 */
public final class SkewClause {
    private SkewClause() {}

    /** @param clause TOK_TABLESKEWED */
    public static Skew of(SyntaxNode clause, List<FieldSchema> tableColumns) {
        clause.first(HiveParser.TOK_STOREDASDIRS).ifPresent(directories -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "SKEWED BY with STORED AS DIRECTORIES is not supported yet")
                    .withHint("leave STORED AS DIRECTORIES out, or partition the table by the column")
                    .at(directories.position());
        });
        List<String> columns =
                clause.child(0).children().stream().map(SyntaxText::identifier).toList();
        List<String> known = tableColumns.stream().map(FieldSchema::name).toList();
        for (String column : columns) {
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
        return new Skew(columns, values);
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

    private static String text(SyntaxNode value) {
        return value.is(HiveParser.StringLiteral)
                ? SyntaxText.string(value)
                : value.source().toLowerCase(java.util.Locale.ROOT);
    }

    private static SkepException error(SyntaxNode where, ErrorMsg error, String words) {
        return CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, error, words);
    }
}
