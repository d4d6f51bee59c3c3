package io.skep.ql.analyze;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Creates the analyzer's errors, each with its position and a hint for the fix. */
final class SemanticErrors {
    private static final int MAX_COLUMNS = 30;

    private SemanticErrors() {}

    static SkepException error(StandardErrorCode code, SyntaxNode where, String message) {
        return new SkepException(code, message).at(where.position());
    }

    static SkepException semantic(SyntaxNode where, String message) {
        return error(StandardErrorCode.SEMANTIC_ERROR, where, message);
    }

    /** Returns an error whose text has no position in Hive. */
    static SkepException plain(SyntaxNode where, ErrorMsg error, String words) {
        return CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, error, words);
    }

    /** Returns an error that has words in Hive, but no number. */
    static SkepException plain(SyntaxNode where, String words) {
        return plain(where, ErrorMsg.GENERIC_ERROR, words);
    }

    static SkepException near(SyntaxNode where, ErrorMsg error) {
        return CompileErrors.near(where, StandardErrorCode.SEMANTIC_ERROR, error.getMsg());
    }

    static SkepException at(SyntaxNode where, ErrorMsg error) {
        return CompileErrors.at(where, StandardErrorCode.SEMANTIC_ERROR, error);
    }

    static SkepException notSupported(SyntaxNode where, String what) {
        return error(StandardErrorCode.NOT_SUPPORTED, where, what + " is not supported");
    }

    static SkepException typeMismatch(SyntaxNode where, String reason) {
        return CompileErrors.at(where, StandardErrorCode.TYPE_MISMATCH, ErrorMsg.INVALID_ARGUMENT_TYPE, reason);
    }

    /** Returns the error of operands that do not go together. */
    static SkepException wrongOperands(SyntaxNode where, String reason) {
        return CompileErrors.at(where, StandardErrorCode.TYPE_MISMATCH, ErrorMsg.INVALID_ARGUMENT, reason);
    }

    /** @param columns the visible columns, with their table's alias where there are several tables */
    static SkepException columnNotFound(SyntaxNode where, String name, Collection<String> columns) {
        String known = columns.stream().limit(MAX_COLUMNS).collect(Collectors.joining(", "));
        String more = columns.size() > MAX_COLUMNS ? ", ..." : "";
        SkepException error = CompileErrors.at(
                where,
                StandardErrorCode.COLUMN_NOT_FOUND,
                ErrorMsg.INVALID_TABLE_OR_COLUMN,
                "(possible column names are: " + known + more + ")");
        return withNear(error, name, plain(columns));
    }

    /** Returns the error of a column that the named table does not have. */
    static SkepException columnOfTableNotFound(SyntaxNode where, String name, Collection<String> columns) {
        return withNames(
                CompileErrors.at(where, StandardErrorCode.COLUMN_NOT_FOUND, ErrorMsg.INVALID_COLUMN),
                name,
                columns,
                "columns");
    }

    static SkepException fieldNotFound(SyntaxNode where, String name, List<String> fields) {
        String words = "cannot find field " + name + "(lowercase form: " + name.toLowerCase(Locale.ROOT) + ") in ["
                + String.join(", ", fields) + "]";
        SkepException error = CompileErrors.plain(
                where.position(), StandardErrorCode.COLUMN_NOT_FOUND, ErrorMsg.GENERIC_ERROR, words);
        return withNear(error, name, fields);
    }

    static SkepException tableNotFound(SyntaxNode where, String plainName, Collection<String> tables) {
        SkepException error = CompileErrors.at(where, StandardErrorCode.TABLE_NOT_FOUND, ErrorMsg.INVALID_TABLE);
        return withNear(error, plainName, tables);
    }

    private static List<String> plain(Collection<String> columns) {
        return columns.stream()
                .map(column -> column.substring(column.indexOf('.') + 1))
                .distinct()
                .toList();
    }

    private static SkepException withNear(SkepException error, String name, Collection<String> candidates) {
        List<String> near = DidYouMean.of(name, candidates);
        return near.isEmpty() ? error : error.withHint("did you mean " + String.join(" or ", near) + "?");
    }

    private static SkepException withNames(
            SkepException error, String name, Collection<String> candidates, String what) {
        SkepException advised = withNear(error, name, candidates);
        if (advised.hint().isPresent() || candidates.isEmpty() || candidates.size() > MAX_COLUMNS) {
            return advised;
        }
        return error.withHint(what + " are " + String.join(", ", candidates));
    }

    /** @param choices the columns that the name fits */
    static SkepException ambiguous(SyntaxNode where, String name, List<ScopeColumn> choices) {
        List<String> tables =
                choices.stream().map(ScopeColumn::table).distinct().toList();
        SkepException error = tables.size() > 1
                ? CompileErrors.plain(
                        where.position(),
                        StandardErrorCode.COLUMN_AMBIGUOUS,
                        ErrorMsg.GENERIC_ERROR,
                        "Column " + name + " Found in more than One Tables/Subqueries")
                : CompileErrors.plain(
                        where.position(),
                        StandardErrorCode.COLUMN_AMBIGUOUS,
                        ErrorMsg.AMBIGUOUS_COLUMN,
                        ErrorMsg.AMBIGUOUS_COLUMN.getMsg() + " " + name
                                + (tables.getFirst().isEmpty() ? "" : " in " + tables.getFirst()));
        return error.withHint("it is one of "
                + choices.stream().map(ScopeColumn::qualifiedName).collect(Collectors.joining(", ")));
    }
}
