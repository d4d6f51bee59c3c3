package io.skep.ql.show;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.insert.IncrementalRebuild;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SHOW [EXTENDED] TABLES, SHOW VIEWS and SHOW MATERIALIZED VIEWS, of the current or another database, with a pattern.
 * SHOW TABLES may also name the type of the tables.
 */
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
        if (wanted.extended()) {
            return extended(wanted, context);
        }
        return CommandStatement.withText(views ? "SHOWVIEWS" : "SHOWTABLES", List.of("tab_name"), log -> {
            boolean allShown = wanted.kind().isEmpty() && !context.access().isEnabled();
            List<String> found = allShown
                    ? List.copyOf(names(wanted, context))
                    : tables(wanted, context).stream().map(Table::name).toList();
            return DefinitionJson.isWanted(context)
                    ? DefinitionJson.rows(DefinitionJson.names("tables", found))
                    : found.stream().map(name -> List.of(Optional.of(name))).toList();
        });
    }

    private static SqlStatement extended(Wanted wanted, StatementContext context) {
        List<String> columns = DefinitionJson.isWanted(context) ? List.of("json") : List.of("tab_name", "table_type");
        return CommandStatement.withText("SHOWTABLES", columns, log -> {
            List<Table> found = tables(wanted, context);
            return DefinitionJson.isWanted(context)
                    ? DefinitionJson.rows(Map.of(
                            "tables",
                            found.stream().map(ShowTablesHandler::json).toList()))
                    : found.stream()
                            .map(table -> List.of(
                                    Optional.of(table.name()),
                                    Optional.of(table.kind().name())))
                            .toList();
        });
    }

    private static Map<String, Object> json(Table table) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("Table Name", table.name());
        json.put("Table Type", table.kind().name());
        return json;
    }

    private static List<Table> tables(Wanted wanted, StatementContext context) {
        Predicate<Table> shown = context.visible();
        return names(wanted, context).stream()
                .flatMap(name -> context.session().table(wanted.database(), name).stream())
                .filter(table -> wanted.kind().isEmpty() || wanted.kind().get() == table.kind())
                .filter(shown)
                .toList();
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

    /** @param kind the only kind of tables to show; empty for all */
    private record Wanted(String database, Optional<String> pattern, Optional<Table.TableKind> kind, boolean extended) {
        static Wanted of(SyntaxNode statement, StatementContext context) {
            String database = context.session().currentDatabase();
            Optional<String> pattern = Optional.empty();
            Optional<Table.TableKind> kind = statement.is(HiveParser.TOK_SHOWVIEWS)
                    ? Optional.of(Table.TableKind.VIRTUAL_VIEW)
                    : Optional.empty();
            boolean extended = false;
            for (int i = 0; i < statement.childCount(); i++) {
                SyntaxNode child = statement.child(i);
                if (child.is(HiveParser.TOK_FROM)) {
                    database = SyntaxText.identifier(statement.child(++i));
                } else if (child.text().startsWith("'") || child.text().startsWith("\"")) {
                    pattern = Optional.of(SyntaxText.string(child));
                } else if (child.is(HiveParser.Identifier)) {
                    pattern = Optional.of(SyntaxText.identifier(child));
                } else if (child.is(HiveParser.TOK_TABLE_TYPE)) {
                    kind = Optional.of(kind(child));
                } else if (child.is(HiveParser.KW_EXTENDED)) {
                    extended = true;
                } else if (!child.text().equalsIgnoreCase("like")) {
                    throw new SkepException(
                                    StandardErrorCode.NOT_SUPPORTED,
                                    "SHOW TABLES " + child.text() + " is not supported")
                            .at(child.position());
                }
            }
            return new Wanted(database, pattern, kind, extended);
        }

        /** @param condition TOK_TABLE_TYPE, with a name and a text */
        private static Table.TableKind kind(SyntaxNode condition) {
            if (!SyntaxText.identifier(condition.child(0)).equals("table_type")) {
                throw CompileErrors.plain(
                        condition.child(0).position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.GENERIC_ERROR,
                        "SHOW TABLES statement only allows equality filter on table_type value");
            }
            String name = SyntaxText.string(condition.child(1));
            return Stream.of(Table.TableKind.values())
                    .filter(kind -> kind.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> CompileErrors.plain(
                                    condition.child(1).position(),
                                    StandardErrorCode.SEMANTIC_ERROR,
                                    ErrorMsg.GENERIC_ERROR,
                                    "no table has the type '" + CompileErrors.shown(name) + "'")
                            .withHint("types are " + List.of(Table.TableKind.values())));
        }
    }
}
