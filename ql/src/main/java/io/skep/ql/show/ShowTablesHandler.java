package io.skep.ql.show;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.insert.IncrementalRebuild;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW TABLES, SHOW VIEWS and SHOW MATERIALIZED VIEWS, of the current or another database, with a pattern. */
public final class ShowTablesHandler implements StatementHandler {
    private static final List<String> MATERIALIZED_COLUMNS =
            List.of("mv_name", "rewrite_enabled", "mode", "incremental_rebuild");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        boolean materialized = statement.is(HiveParser.TOK_SHOWMATERIALIZEDVIEWS);
        boolean views = statement.is(HiveParser.TOK_SHOWVIEWS);
        Wanted wanted = Wanted.of(statement, context);
        context.database(wanted.database(), statement.position()).remote().ifPresent(remote -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the tables of the remote database " + wanted.database() + " (connector "
                                    + remote.connector() + ") cannot be listed")
                    .at(statement.position());
        });
        if (materialized) {
            return materializedViews(wanted, context);
        }
        Table.TableKind viewKind = Table.TableKind.VIRTUAL_VIEW;
        Predicate<Table> kind = table -> !views || table.kind() == viewKind;
        return CommandStatement.withText(views ? "SHOWVIEWS" : "SHOWTABLES", List.of("tab_name"), log -> {
            List<String> found = new ArrayList<>();
            Predicate<Table> shown = kind.and(context.visible());
            boolean allShown = !views && !context.access().isEnabled();
            for (String name : names(wanted, context)) {
                if (allShown
                        || context.session()
                                .table(wanted.database(), name)
                                .filter(shown)
                                .isPresent()) {
                    found.add(name);
                }
            }
            return DefinitionJson.isWanted(context)
                    ? DefinitionJson.rows(DefinitionJson.names("tables", found))
                    : found.stream().map(name -> List.of(Optional.of(name))).toList();
        });
    }

    /** Shows the views with what Hive's clients expect to know of them. */
    private static SqlStatement materializedViews(Wanted wanted, StatementContext context) {
        return CommandStatement.withText("SHOWMATERIALIZEDVIEWS", MATERIALIZED_COLUMNS, log -> {
            List<List<Optional<String>>> rows = new ArrayList<>();
            for (String name : names(wanted, context)) {
                context.session()
                        .table(wanted.database(), name)
                        .filter(table -> table.kind() == Table.TableKind.MATERIALIZED_VIEW)
                        .filter(context.visible())
                        .ifPresent(view -> rows.add(List.of(
                                Optional.of(name),
                                Optional.of(
                                        view.materialization()
                                                        .filter(Materialization::rewriting)
                                                        .isPresent()
                                                ? "Yes"
                                                : "No"),
                                Optional.of("Manual refresh"),
                                Optional.of(
                                        switch (IncrementalRebuild.scope(view, context)) {
                                            case ALL -> "Available";
                                            case INSERTS -> "Available for insert operations only";
                                            case NONE -> "Not available";
                                        }))));
            }
            return rows;
        });
    }

    private static SortedSet<String> names(Wanted wanted, StatementContext context) {
        SortedSet<String> names = new TreeSet<>(context.catalog().tables(wanted.database()));
        names.addAll(context.session().temporaryTables().names(wanted.database()));
        names.removeIf(SyntaxText.like(wanted.pattern()).negate());
        return names;
    }

    private record Wanted(String database, Optional<String> pattern) {
        static Wanted of(SyntaxNode statement, StatementContext context) {
            String database = context.session().currentDatabase();
            Optional<String> pattern = Optional.empty();
            for (int i = 0; i < statement.childCount(); i++) {
                SyntaxNode child = statement.child(i);
                if (child.is(HiveParser.TOK_FROM)) {
                    database = SyntaxText.identifier(statement.child(++i));
                } else if (child.text().startsWith("'") || child.text().startsWith("\"")) {
                    pattern = Optional.of(SyntaxText.string(child));
                } else if (child.is(HiveParser.Identifier)) {
                    pattern = Optional.of(SyntaxText.identifier(child));
                } else if (!child.text().equalsIgnoreCase("like")) {
                    throw new SkepException(
                                    StandardErrorCode.NOT_SUPPORTED,
                                    "SHOW TABLES " + child.text() + " is not supported")
                            .at(child.position());
                }
            }
            return new Wanted(database, pattern);
        }
    }
}
