package io.skep.ql.analyze;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.SyntaxNode;
import java.util.Collection;
import java.util.List;

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

    static SkepException notSupported(SyntaxNode where, String what) {
        return error(StandardErrorCode.NOT_SUPPORTED, where, what + " is not supported");
    }

    static SkepException typeMismatch(SyntaxNode where, String message) {
        return error(StandardErrorCode.TYPE_MISMATCH, where, message);
    }

    static SkepException columnNotFound(SyntaxNode where, String name, Collection<String> columns) {
        SkepException error = error(
                StandardErrorCode.COLUMN_NOT_FOUND, where, "column or table alias '" + name + "' cannot be resolved");
        return withNames(error, name, columns, "columns");
    }

    static SkepException tableNotFound(SyntaxNode where, String name, String plainName, Collection<String> tables) {
        SkepException error = error(StandardErrorCode.TABLE_NOT_FOUND, where, "table '" + name + "' does not exist");
        return withNames(error, plainName, tables, "tables");
    }

    private static SkepException withNames(
            SkepException error, String name, Collection<String> candidates, String what) {
        List<String> near = DidYouMean.of(name, candidates);
        if (!near.isEmpty()) {
            return error.withHint("did you mean " + String.join(" or ", near) + "?");
        }
        if (candidates.isEmpty() || candidates.size() > MAX_COLUMNS) {
            return error;
        }
        return error.withHint(what + " are " + String.join(", ", candidates));
    }

    static SkepException ambiguous(SyntaxNode where, String name, Collection<String> choices) {
        return error(StandardErrorCode.COLUMN_AMBIGUOUS, where, "column '" + name + "' is ambiguous")
                .withHint("it is one of " + String.join(", ", choices));
    }
}
