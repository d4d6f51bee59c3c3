package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.external.ExternalWrites;
import io.skep.ql.external.OpenWrite;
import io.skep.ql.insert.LoadHandler;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;
import java.util.Optional;

/**
 * Writes of programs outside of the server into a temporary table of the session: the ticket with which they send
 * parts, and the end of the write, which adds those parts to the table that the client names. The table is the
 * session's own, so nothing needs a privilege until its rows are inserted elsewhere.
 */
final class WriteCallHandler implements StatementHandler {
    private final WriteCall call;

    WriteCallHandler(WriteCall call) {
        this.call = call;
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Table table = call.table(context);
        context.access().check();
        return switch (call.kind()) {
            case GET_WRITE_TICKET -> ticket(table, context);
            case COMMIT_PARTS -> commit(table, context);
        };
    }

    StatementNeeds needs(SyntaxNode statement, StatementContext context) {
        return StatementNeeds.of(call.kind() == WriteCall.Kind.COMMIT_PARTS ? "LOAD" : "QUERY");
    }

    private SqlStatement ticket(Table table, StatementContext context) {
        if (!table.partitionKeys().isEmpty() || table.storage().buckets() > 0 || !table.ownsFiles()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "programs outside of the server write temporary tables without partitions, buckets and"
                                    + " EXTERNAL only")
                    .at(call.function().position());
        }
        List<SqlType> types = table.columns().stream().map(FieldSchema::type).toList();
        String folder = table.storage().location() + "/" + StagingFolders.PREFIX + context.nextName();
        ExternalWrites.Target target = new ExternalWrites.Target(
                context.queryId(),
                context.session().user(),
                TableLayouts.of(table),
                folder,
                table.columns().stream().map(FieldSchema::name).toList(),
                types);
        return CommandStatement.withRows(
                "QUERY", List.of(new ResultColumn("access", PrimitiveType.BINARY, "")), log -> {
                    OpenWrite write = context.services().external().writes().open(target);
                    context.session().temporaryTables().beginWrite(table, write);
                    return List.of(List.of(new Datum.OfBytes(write.access())));
                });
    }

    private SqlStatement commit(Table table, StatementContext context) {
        Optional<OpenWrite> write = context.session().temporaryTables().write(table);
        if (write.isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "nothing is being written to temporary table " + table.qualifiedName())
                    .withHint("begin with SELECT get_write_ticket('" + table.name() + "')")
                    .at(call.function().position());
        }
        List<Long> parts = call.parts();
        return CommandStatement.changing("LOAD", run -> {
            try {
                LoadHandler.addParts(table, write.get().finish(parts), run, context);
            } finally {
                context.session().temporaryTables().endWrite(table);
            }
            // The parts that do not count.
            context.services().files().delete(write.get().folder());
        });
    }
}
