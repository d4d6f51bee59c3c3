package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionAnswer;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.RequestedCompaction;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.compaction.Rebalance;
import io.skep.ql.compaction.RebalanceOrder;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import io.skep.ql.transaction.StatementTransactions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * ALTER TABLE t [PARTITION (...)] COMPACT 'kind' [CLUSTERED INTO n BUCKETS] [AND WAIT] [POOL 'p'] [WITH OVERWRITE
 * TBLPROPERTIES (...)] [ORDER BY ...]. The statement only requests the compaction, which workers carry out. With AND
 * WAIT it ends with the compaction, however that ends; the log says how. A cancellation ends the wait, not the
 * compaction. Without a partition it requests one of each partition. Hive does so for those whose deltas exceed its
 * thresholds, and chooses the kind by itself; here a worker refuses what has nothing to merge.
 */
final class AlterCompaction {
    /** Whether CONCATENATE of a transactional table does not wait for its compaction. */
    private static final String WITHOUT_WAIT = "hive.transactional.concatenate.noblock";

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private AlterCompaction() {}

    static SqlStatement compile(Alteration alteration) {
        SyntaxNode clause = alteration.clause();
        CompactionKind kind = kind(clause);
        if (kind != CompactionKind.REBALANCE
                && (clause.has(HiveParser.TOK_ALTERTABLE_BUCKETS) || clause.has(HiveParser.TOK_ORDERBY))) {
            throw alteration.notSupported("A compaction other than 'rebalance' with a number of buckets or an order");
        }
        if (clause.has(HiveParser.TOK_WHERE)) {
            throw CompileErrors.namedTask(
                    clause.position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.NONICEBERG_COMPACTION_WITH_FILTER_NOT_SUPPORTED,
                    ErrorMsg.NONICEBERG_COMPACTION_WITH_FILTER_NOT_SUPPORTED.format(
                            alteration.table().database(), alteration.table().name()));
        }
        List<String> found = partitions(alteration);
        check(alteration);
        OptionalInt buckets = buckets(clause);
        Optional<String> order = order(alteration);
        List<Optional<String>> places = places(found, alteration);
        Map<String, String> properties = clause.first(HiveParser.TOK_TABLEPROPERTIES)
                .map(SyntaxText::properties)
                .orElse(Map.of());
        Optional<String> pool = clause.first(HiveParser.TOK_COMPACT_POOL).map(node -> SyntaxText.string(node.child(0)));
        String client = client(alteration);
        Table table = alteration.table();
        return requesting(
                places.stream()
                        .map(partition -> new RequestedCompaction(
                                table.database(),
                                table.name(),
                                partition,
                                kind,
                                properties,
                                buckets,
                                order,
                                pool,
                                client))
                        .toList(),
                clause.has(HiveParser.TOK_BLOCKING),
                alteration);
    }

    /** Compiles CONCATENATE of a transactional table, which is a major compaction, as in Hive. */
    static SqlStatement concatenating(Alteration alteration) {
        List<String> found = partitions(alteration);
        check(alteration);
        Table table = alteration.table();
        String client = client(alteration);
        List<RequestedCompaction> requests = places(found, alteration).stream()
                .map(partition ->
                        RequestedCompaction.of(table.database(), table.name(), partition, CompactionKind.MAJOR, client))
                .toList();
        return requesting(requests, !alteration.context().settings().getBoolean(WITHOUT_WAIT), alteration);
    }

    private static String client(Alteration alteration) {
        return alteration.context().services().transactions().serverName() + "-manual";
    }

    private static SqlStatement requesting(
            List<RequestedCompaction> requests, boolean isBlocking, Alteration alteration) {
        return CommandStatement.changing(
                "ALTERTABLE", run -> requests.forEach(request -> request(request, isBlocking, alteration, run)));
    }

    private static CompactionKind kind(SyntaxNode clause) {
        String text = SyntaxText.string(clause.child(0));
        return Arrays.stream(CompactionKind.values())
                .filter(kind -> kind.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> CompileErrors.plain(
                                clause.position(), StandardErrorCode.INVALID_ARGUMENT, ErrorMsg.INVALID_COMPACTION_TYPE)
                        .withHint("the kinds are 'minor', 'major' and 'rebalance'"));
    }

    private static OptionalInt buckets(SyntaxNode clause) {
        Optional<SyntaxNode> node = clause.first(HiveParser.TOK_ALTERTABLE_BUCKETS);
        if (node.isEmpty()) {
            return OptionalInt.empty();
        }
        String text = node.get().child(0).text();
        int buckets = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
        if (buckets < 1 || buckets > Rebalance.MAX_BUCKETS) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "a table cannot be rebalanced into " + text + " buckets")
                    .at(node.get().position())
                    .withHint("the number is between 1 and " + Rebalance.MAX_BUCKETS);
        }
        return OptionalInt.of(buckets);
    }

    private static Optional<String> order(Alteration alteration) {
        Table table = alteration.table();
        return alteration.clause().first(HiveParser.TOK_ORDERBY).map(node -> {
            RebalanceOrder order = RebalanceOrder.of(node);
            order.sortKeys(TableLayouts.columns(table.storage().columns()), table.partitionKeys());
            return order.text();
        });
    }

    private static void check(Alteration alteration) {
        Table table = alteration.table();
        if (!table.isTransactional()) {
            throw CompileErrors.namedTask(
                    alteration.clause().position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.NONACID_COMPACTION_NOT_SUPPORTED,
                    ErrorMsg.NONACID_COMPACTION_NOT_SUPPORTED.format(table.database(), table.name()));
        }
        if (TableStore.isTemporary(table, alteration.context())) {
            throw alteration.notSupported("A compaction of a temporary table");
        }
    }

    /** Returns the names of the partitions that the statement names; none without a PARTITION clause. */
    private static List<String> partitions(Alteration alteration) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        return alteration
                .partition()
                .map(node -> PartitionSpec.of(table, node, context).found(context).stream()
                        .map(each -> PartitionName.of(table, each.values()))
                        .toList())
                .orElse(List.of());
    }

    /** Returns the table or the partition to compact, and all partitions when none is named. */
    private static List<Optional<String>> places(List<String> named, Alteration alteration) {
        if (named.size() > 1) {
            ErrorMsg error = ErrorMsg.TOO_MANY_COMPACTION_PARTITIONS;
            throw CompileErrors.namedTask(
                    alteration.clause().position(), StandardErrorCode.INVALID_PARTITION, error, error.getMsg());
        }
        Table table = alteration.table();
        if (named.isEmpty() && table.partitionKeys().isEmpty()) {
            return List.of(Optional.empty());
        }
        List<String> partitions =
                named.isEmpty() ? alteration.context().catalog().partitionNames(table) : named;
        return partitions.stream().map(Optional::of).toList();
    }

    private static void request(
            RequestedCompaction request, boolean isBlocking, Alteration alteration, CommandRun run) {
        StatementTransactions transactions = alteration.context().services().transactions();
        Interruption.check();
        CompactionAnswer answer = transactions.store().compactionQueue().request(request);
        if (answer.refusal().isPresent()) {
            throw CompileErrors.namedTask(
                    alteration.clause().position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.COMPACTION_REFUSED,
                    ErrorMsg.COMPACTION_REFUSED.format(
                            request.database(),
                            request.table(),
                            "CompactionId: " + answer.id(),
                            answer.refusal().get()));
        }
        if (!answer.isAccepted()) {
            run.log("Compaction already enqueued with id " + answer.id() + "; State is " + answer.state());
            return;
        }
        run.log("Compaction enqueued with id " + answer.id());
        if (isBlocking) {
            run.log("Compaction with id " + answer.id() + " finished with status: " + ended(transactions, answer.id()));
        }
    }

    /** Waits until a compaction has ended, and returns how. */
    private static String ended(StatementTransactions transactions, long id) {
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            Optional<ListedCompaction> compaction = transactions.store().compactions(CompactionFilter.ofId(id)).stream()
                    .findFirst();
            if (compaction.isEmpty()) {
                return "unknown, since it is not listed any more";
            }
            ListedCompaction found = compaction.get();
            boolean isCommitting = found.state().equals("ready for cleaning") && isOpen(found, transactions);
            if (!found.isUnderWay() && !isCommitting) {
                return found.state();
            }
        }
    }

    /** A compaction is marked as ended just before its transaction commits. Statements that follow should see it. */
    private static boolean isOpen(ListedCompaction compaction, StatementTransactions transactions) {
        return compaction.transaction().isPresent()
                && compaction.committed().isEmpty()
                && transactions.store().transactions().stream()
                        .anyMatch(one -> one.id() == compaction.transaction().getAsLong() && !one.isAborted());
    }

    private static void sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Interruption.check();
        }
    }
}
