package io.skep.ql.show;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.SyntaxText;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ORDER BY of SHOW COMPACTIONS. Sorts by columns of its result; rows without a value come first. */
final class CompactionOrder {
    private CompactionOrder() {}

    /** @param clause TOK_ORDERBY of columns, each with its direction */
    static Comparator<ListedCompaction> of(SyntaxNode clause) {
        Comparator<ListedCompaction> order = (_, _) -> 0;
        for (SyntaxNode direction : clause.children()) {
            Comparator<ListedCompaction> key = key(column(direction));
            order = order.thenComparing(direction.is(HiveParser.TOK_TABSORTCOLNAMEDESC) ? key.reversed() : key);
        }
        return order;
    }

    /** A column is a name, or a name in quotes. */
    private static SyntaxNode column(SyntaxNode direction) {
        SyntaxNode node = direction;
        while (node.childCount() > 0) {
            node = node.child(0);
        }
        return node;
    }

    private static Comparator<ListedCompaction> key(SyntaxNode column) {
        String name = SyntaxText.pattern(column);
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "compactionid" -> Comparator.comparingLong(ListedCompaction::id);
            case "dbname" -> Comparator.comparing(ListedCompaction::database);
            case "tabname" -> Comparator.comparing(ListedCompaction::table);
            case "partname" -> texts(ListedCompaction::partition);
            case "type" -> Comparator.comparing(ListedCompaction::kind);
            case "state" -> Comparator.comparing(ListedCompaction::state);
            case "workerhost", "workerid" -> texts(ListedCompaction::worker);
            case "enqueuetime" -> numbers(ListedCompaction::enqueued);
            case "starttime" -> numbers(ListedCompaction::started);
            case "duration" -> numbers(CompactionOrder::duration);
            case "hadoopjobid" -> texts(ListedCompaction::job);
            case "poolname" -> texts(ListedCompaction::pool);
            case "txnid" -> numbers(ListedCompaction::transaction);
            case "nexttxnid" -> numbers(ListedCompaction::next);
            case "committime" -> numbers(ListedCompaction::committed);
            case "hightestwriteid", "highestwriteid" -> numbers(ListedCompaction::highestWriteId);
            default ->
                throw CompileErrors.plain(
                                column.position(),
                                StandardErrorCode.INVALID_ARGUMENT,
                                ErrorMsg.GENERIC_ERROR,
                                "Compactions are not sorted by '" + CompileErrors.shown(name) + "'")
                        .withHint("sort by columns of SHOW COMPACTIONS, such as compactionid, dbname or starttime");
        };
    }

    private static Comparator<ListedCompaction> texts(Function<ListedCompaction, Optional<String>> column) {
        return Comparator.comparing(column.andThen(value -> value.orElse("")));
    }

    private static Comparator<ListedCompaction> numbers(Function<ListedCompaction, OptionalLong> column) {
        return Comparator.comparing(column.andThen(value -> value.orElse(Long.MIN_VALUE)));
    }

    /** Returns the milliseconds between its start and its end. */
    static OptionalLong duration(ListedCompaction compaction) {
        return compaction.started().isPresent() && compaction.ended().isPresent()
                ? OptionalLong.of(
                        compaction.ended().getAsLong() - compaction.started().getAsLong())
                : OptionalLong.empty();
    }
}
