package io.skep.ql.insert;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.metastore.Table;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidVersionFile;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.write.BucketFileName;
import io.skep.storage.write.WrittenFile;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an INSERT writes to a transactional table. Its files are in folders of their own, one in each partition, which
 * are visible from the commit of the statement's transaction on. Older files stay until they are cleaned.
 */
final class TransactionalWrite {
    /** The number of the inserts of a statement that also deletes, see {@link AcidWrite#ofDeletes}. */
    private static final int INSERTS = 1;

    private static final String DELETES_BELOW = PlanNode.TableWrite.DELETES_FOLDER + "/";

    private final Destination destination;
    private final int statement;
    private final boolean isChange;
    private final List<TableAccess> accesses;
    private final TransactionScope scope;
    private final TransactionalMoves moves;

    private TransactionalWrite(
            Destination destination,
            int statement,
            boolean isChange,
            List<TableAccess> accesses,
            TransactionScope scope,
            StatementContext context) {
        this.destination = destination;
        this.statement = statement;
        this.isChange = isChange;
        this.accesses = List.copyOf(accesses);
        this.scope = scope;
        this.moves = new TransactionalMoves(context);
    }

    /**
     * Returns the write to a destination; empty for one that is not transactional.
     *
     * @param statement the number of this destination among those of the statement
     * @param scope gets the table
     */
    static Optional<TransactionalWrite> of(
            Destination destination, int statement, TransactionScope scope, StatementContext context) {
        if (!destination.table().isTransactional()) {
            return Optional.empty();
        }
        TableAccess access = destination.overwrite() ? TableAccess.OVERWRITE : TableAccess.INSERT;
        return Optional.of(of(destination, statement, false, List.of(access), scope, context));
    }

    private static TransactionalWrite of(
            Destination destination,
            int statement,
            boolean isChange,
            List<TableAccess> accesses,
            TransactionScope scope,
            StatementContext context) {
        scope.use(accesses.stream().map(access -> use(destination, access)).toList());
        return new TransactionalWrite(destination, statement, isChange, accesses, scope, context);
    }

    /**
     * Returns the write of UPDATE, DELETE or MERGE.
     *
     * @param accesses what the statement does
     */
    static TransactionalWrite ofChanges(
            Destination destination, List<TableAccess> accesses, TransactionScope scope, StatementContext context) {
        return of(destination, INSERTS, true, accesses, scope, context);
    }

    private static TableUse use(Destination destination, TableAccess access) {
        Table table = destination.table();
        String partition = destination.staticPath();
        if (!destination.dynamicColumns().isEmpty()) {
            return TableUse.ofDynamicPartitions(table, access);
        }
        return partition.isEmpty() ? TableUse.of(table, access) : TableUse.ofPartition(table, access, partition);
    }

    /** Whether this is the write of UPDATE, DELETE or MERGE. */
    boolean isChange() {
        return isChange;
    }

    private AcidWrite write() {
        long writeId = scope.transaction().writeId(destination.table());
        return destination.overwrite()
                ? new AcidWrite(AcidWrite.Kind.OVERWRITE, writeId, 0)
                : new AcidWrite(AcidWrite.Kind.INSERT, writeId, statement);
    }

    /** Returns the graph with the identity of the rows that it writes, if they have one. */
    StageGraph in(StageGraph graph) {
        if (destination.table().isInsertOnly()) {
            return graph;
        }
        AcidWrite write = write();
        return graph.mapRoots(root -> in(root, write));
    }

    private static PlanNode in(PlanNode node, AcidWrite write) {
        return node instanceof PlanNode.TableWrite found
                ? found.withRowIds(write)
                : node.mapInputs(input -> in(input, write));
    }

    /** Plans the moves of a partition's files into the statement's folders. */
    void plan(String partition, String location, List<WrittenFile> files, Arrivals arrivals) {
        Map<Boolean, List<WrittenFile>> byKind = files.stream()
                .collect(Collectors.partitioningBy(file -> file.path().startsWith(arrivals.staging() + DELETES_BELOW)));
        List<WrittenFile> deletes = byKind.getOrDefault(true, List.of());
        List<WrittenFile> inserts = byKind.getOrDefault(false, List.of());
        if (!deletes.isEmpty()) {
            arrive(deletes, AcidWrite.ofDeletes(write().writeId()), partition, location, arrivals);
        }
        if (!inserts.isEmpty() || destination.overwrite()) {
            arrive(inserts, write(), partition, location, arrivals);
        }
    }

    /** Returns files for statistics: rows of deletes are counted as fewer. */
    static List<WrittenFile> counted(List<WrittenFile> files, String staging) {
        return files.stream()
                .map(file -> file.path().startsWith(staging + DELETES_BELOW)
                        ? new WrittenFile(file.path(), -file.rowCount(), file.length())
                        : file)
                .toList();
    }

    private void arrive(
            List<WrittenFile> files, AcidWrite write, String partition, String location, Arrivals arrivals) {
        String folder = location + "/" + write.folder().name();
        boolean isInsertOnly = destination.table().isInsertOnly();
        FileNamer names = new FileNamer(folder, new HashSet<>());
        for (WrittenFile file : files) {
            String target = isInsertOnly ? names.written(file.path()) : folder + "/" + stored(file);
            arrivals.add(file.path(), location, target);
        }
        if (!isInsertOnly) {
            String version = String.join(
                    "/", arrivals.staging(), "versions", write.folder().name(), partition, AcidVersionFile.NAME);
            arrivals.files().create(version, AcidVersionFile.content());
            arrivals.add(version, location, folder + "/" + AcidVersionFile.NAME);
        } else if (files.isEmpty()) {
            // The folder says that there are no rows.
            moves.addFolder(folder, location);
        }
    }

    private static String stored(WrittenFile file) {
        return AcidWrite.fileName(BucketFileName.bucket(file.path()).orElseThrow(), 0);
    }

    /** Returns the moves that {@link #plan} has planned. */
    TransactionalMoves moves() {
        return moves;
    }

    /** Records the partitions that became known while the statement ran. */
    void addPartitions(Collection<String> partitions) {
        if (!destination.dynamicColumns().isEmpty() && !partitions.isEmpty()) {
            accesses.forEach(access -> scope.transaction().addPartitions(destination.table(), partitions, access));
        }
    }
}
