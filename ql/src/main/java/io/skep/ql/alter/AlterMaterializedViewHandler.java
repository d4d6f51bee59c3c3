package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.create.MaterializedViewQuery;
import io.skep.ql.insert.RebuildStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableAccess;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ALTER MATERIALIZED VIEW name REBUILD, ENABLE REWRITE and DISABLE REWRITE. */
public final class AlterMaterializedViewHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        Table view = required(name, context);
        if (statement.is(HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REBUILD)) {
            MaterializedViewQuery filling = MaterializedViewQuery.of(view, name.position(), context);
            return new RebuildStatement(view, name, filling.sources(), filling.query(), statement, context);
        }
        boolean rewriting = statement.has(HiveParser.TOK_REWRITE_ENABLED);
        if (rewriting) {
            MaterializedViewQuery.requireRewriting(sources(view, context), name.position());
        }
        return CommandStatement.changing(
                "ALTER_MATERIALIZED_VIEW_REWRITE",
                run -> TransactionalChange.define(
                        TransactionalChange.uses(view, TableAccess.DEFINE_ALONE),
                        run,
                        context,
                        () -> ExclusiveTables.run(name, context, () -> {
                            Table now = required(name, context);
                            run.beginCommit();
                            TableStore.replace(
                                    now,
                                    now.withMaterialization(content(now).withRewriting(rewriting)),
                                    false,
                                    context);
                        })));
    }

    /** Returns the sources as they are now. */
    private static List<Table> sources(Table view, StatementContext context) {
        List<Table> sources = new ArrayList<>();
        for (String source : content(view).sources()) {
            int dot = source.indexOf('.');
            context.catalog()
                    .table(source.substring(0, dot), source.substring(dot + 1))
                    .ifPresent(sources::add);
        }
        return sources;
    }

    private static Materialization content(Table view) {
        return view.materialization()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "nothing is stored about the content of " + view.qualifiedName()));
    }

    private static Table required(TableName name, StatementContext context) {
        Table table = context.table(name);
        if (table.kind() != Table.TableKind.MATERIALIZED_VIEW) {
            throw new SkepException(StandardErrorCode.NOT_A_VIEW, name.qualified() + " is no materialized view")
                    .at(name.position());
        }
        return table;
    }
}
