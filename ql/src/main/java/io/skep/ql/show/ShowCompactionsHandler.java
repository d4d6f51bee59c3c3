package io.skep.ql.show;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SHOW COMPACTIONS [COMPACTIONID = n | DATABASE name | table [PARTITION (...)]] [POOL p] [TYPE t] [STATUS s] [ORDER BY
 * ...] [LIMIT n].
 */
public final class ShowCompactionsHandler implements StatementHandler {
    private static final List<String> COLUMNS = List.of(
            "compactionid",
            "dbname",
            "tabname",
            "partname",
            "type",
            "state",
            "workerhost",
            "workerid",
            "enqueuetime",
            "starttime",
            "duration",
            "hadoopjobid",
            "errormessage",
            "initiatorhost",
            "initiatorid",
            "poolname",
            "txnid",
            "nexttxnid",
            "committime",
            "hightestwriteid");

    private static final List<String> KINDS = List.of("MINOR", "MAJOR", "REBALANCE");
    private static final List<String> STATES = List.of(
            "initiated",
            "working",
            "ready for cleaning",
            "failed",
            "succeeded",
            "did not initiate",
            "refused",
            "aborted");

    /** Hive's text for a column without a value. */
    private static final String NONE = " --- ";

    /** Hive's text for requests that name no pool of workers. */
    private static final String DEFAULT_POOL = "default";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Optional<Comparator<ListedCompaction>> order =
                statement.first(HiveParser.TOK_ORDERBY).map(CompactionOrder::of);
        OptionalLong limit = limit(statement);
        // The order of the metastore takes the columns' names as SQL, so the rows are sorted here.
        CompactionFilter filter = filter(statement, context, order.isPresent() ? OptionalLong.empty() : limit);
        return CommandStatement.withText("SHOW_COMPACTIONS", COLUMNS, log -> {
            Stream<ListedCompaction> all = context.services().transactions().store().compactions(filter).stream();
            return order.map(all::sorted)
                    .orElse(all)
                    .limit(limit.orElse(Long.MAX_VALUE))
                    .map(ShowCompactionsHandler::row)
                    .toList();
        });
    }

    private static OptionalLong limit(SyntaxNode statement) {
        return statement
                .first(HiveParser.TOK_LIMIT)
                .map(node -> OptionalLong.of(
                        Long.parseLong(node.child(node.childCount() - 1).text())))
                .orElse(OptionalLong.empty());
    }

    private static CompactionFilter filter(SyntaxNode statement, StatementContext context, OptionalLong limit) {
        Optional<TransactionalObject> named =
                statement.first(HiveParser.TOK_TABTYPE).map(node -> TransactionalObject.of(node, context));
        OptionalLong id = statement
                .first(HiveParser.TOK_COMPACT_ID)
                .map(node -> OptionalLong.of(Long.parseLong(node.child(0).text())))
                .orElse(OptionalLong.empty());
        return new CompactionFilter(
                id,
                named.map(TransactionalObject::database).or(() -> database(statement)),
                named.map(TransactionalObject::table),
                named.flatMap(TransactionalObject::partition),
                statement.first(HiveParser.TOK_COMPACT_POOL).map(node -> SyntaxText.string(node.child(0))),
                word(statement, HiveParser.TOK_COMPACTION_TYPE, KINDS),
                word(statement, HiveParser.TOK_COMPACTION_STATUS, STATES),
                limit);
    }

    /** The name of a database is a child without a node of its own. */
    private static Optional<String> database(SyntaxNode statement) {
        return statement.children().stream()
                .filter(child -> child.is(HiveParser.Identifier))
                .findFirst()
                .map(SyntaxText::identifier);
    }

    private static Optional<String> word(SyntaxNode statement, int clause, List<String> known) {
        return statement.first(clause).map(node -> {
            String wanted = SyntaxText.string(node.child(0));
            return known.stream()
                    .filter(wanted::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() -> CompileErrors.plain(
                            node.position(),
                            StandardErrorCode.INVALID_ARGUMENT,
                            ErrorMsg.GENERIC_ERROR,
                            "'" + CompileErrors.shown(wanted) + "' is none of "
                                    + String.join(", ", known).toLowerCase(Locale.ROOT)));
        });
    }

    private static List<Optional<String>> row(ListedCompaction compaction) {
        return Stream.of(
                        Long.toString(compaction.id()),
                        compaction.database(),
                        compaction.table(),
                        compaction.partition().orElse(NONE),
                        compaction.kind(),
                        compaction.state(),
                        host(compaction.worker()),
                        thread(compaction.worker()),
                        text(compaction.enqueued()),
                        text(compaction.started()),
                        text(CompactionOrder.duration(compaction)),
                        compaction.job().orElse(NONE),
                        compaction.error().orElse(NONE),
                        host(compaction.initiator()),
                        thread(compaction.initiator()),
                        compaction.pool().orElse(DEFAULT_POOL),
                        text(compaction.transaction()),
                        text(compaction.next()),
                        text(compaction.committed()),
                        text(compaction.highestWriteId()))
                .map(Optional::of)
                .toList();
    }

    private static String text(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : NONE;
    }

    /** A worker's id is its host, a dash, and the number of its thread. */
    static String host(Optional<String> id) {
        return id.map(text -> text.lastIndexOf('-') < 0 ? text : text.substring(0, text.lastIndexOf('-')))
                .orElse(NONE);
    }

    static String thread(Optional<String> id) {
        return id.map(text -> text.substring(text.lastIndexOf('-') + 1)).orElse(NONE);
    }
}
