package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * {@code SELECT get_write_ticket('table')} or {@code SELECT commit_parts('table', '1,2')}, which programs outside of
 * the server send when they write a temporary table of their session.
 *
 * @param function the node of the call
 */
record WriteCall(SyntaxNode function, Kind kind) {
    enum Kind {
        GET_WRITE_TICKET("takes the name of a temporary table as a literal", 1),
        COMMIT_PARTS("takes the name of a temporary table and the numbers of parts, both as literals", 2);

        private final String usage;
        private final int arguments;

        Kind(String usage, int arguments) {
            this.usage = usage;
            this.arguments = arguments;
        }
    }

    static Optional<WriteCall> of(SyntaxNode root) {
        return SelectedFunction.of(root).flatMap(WriteCall::ofFunction);
    }

    private static Optional<WriteCall> ofFunction(SyntaxNode function) {
        String name = function.child(0).text().toUpperCase(Locale.ROOT);
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(name)) {
                return Optional.of(new WriteCall(function, kind));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the named temporary table of the session.
     *
     * @throws SkepException TABLE_NOT_FOUND, also for tables of the catalog
     */
    Table table(StatementContext context) {
        String[] names = text(1).toLowerCase(Locale.ROOT).split("\\.", -1);
        if (names.length > 2) {
            throw wrong();
        }
        String database = names.length == 2 ? names[0] : context.session().currentDatabase();
        String name = names[names.length - 1];
        return context.session()
                .temporaryTables()
                .get(database, name)
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.TABLE_NOT_FOUND,
                                "'" + text(1) + "' is not a temporary table of this session")
                        .withHint("CREATE TEMPORARY TABLE, and INSERT from it into other tables")
                        .at(function.position()));
    }

    /** Returns the numbers of parts. */
    List<Long> parts() {
        List<Long> parts = new ArrayList<>();
        try {
            for (String number : text(2).split(",", -1)) {
                if (!number.isBlank()) {
                    parts.add(Long.valueOf(number.strip()));
                }
            }
        } catch (NumberFormatException e) {
            throw wrong();
        }
        return parts;
    }

    private String text(int argument) {
        if (function.childCount() != kind.arguments + 1
                || !function.child(argument).is(HiveParser.StringLiteral)) {
            throw wrong();
        }
        return SyntaxText.string(function.child(argument));
    }

    private SkepException wrong() {
        return new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT, kind.name().toLowerCase(Locale.ROOT) + " " + kind.usage)
                .at(function.position());
    }
}
