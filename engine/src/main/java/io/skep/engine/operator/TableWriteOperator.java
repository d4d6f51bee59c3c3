package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.PartitionFiles.Part;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RowChange;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.BucketFileName;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import io.skep.storage.write.WrittenFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes its input to files below the staging folder, one for each partition, list bucket and bucket that occurs.
 * Changes of a transactional table have two: one for rows that go away and one for new rows. At the end it outputs one
 * row per file. Files that are not finished when the operator is closed are aborted.
 */
public final class TableWriteOperator implements Operator {
    /**
     * How files are created.
     *
     * @param fileName the name of this driver's files, different from those of all other drivers and tasks
     * @param writer the number that stands for the bucket where rows have identifiers and the table has no buckets;
     *     different from those of all other drivers and tasks
     * @param maxPartitions the maximum number of partitions that a driver may write
     * @param defaultPartition the folder name for null and empty text
     */
    public record Target(
            PageSinkFactory sinks, String fileName, int writer, int maxPartitions, String defaultPartition) {}

    private final PlanNode.TableWrite node;
    private final Target target;
    private final OperatorMemory memory;
    /** The bytes of a file with its first rows. */
    private final long firstBytes;

    /** The number of columns before the data columns. */
    private final int firstData;

    private final int firstKey;
    private final List<SqlType> summarized;
    private final PartitionNames names;
    private final PartitionFiles inserts;
    private final PartitionFiles deletes;
    private final Set<String> partitions = new HashSet<>();
    private long replaced;
    private boolean asked;
    private boolean finishing;
    private boolean done;

    public TableWriteOperator(
            PlanNode.TableWrite node, Target target, FunctionRegistry functions, OperatorContext context) {
        this.node = node;
        this.target = target;
        this.memory = context.account();
        this.firstBytes = target.sinks().firstBytes(node.table());
        List<SqlType> types = node.input().outputTypes();
        int bucketColumns = node.bucketed() ? 1 : 0;
        this.firstData = node.changes() ? PlanNode.TableWrite.CHANGE_COLUMNS : 0;
        int numberColumns = bucketColumns + (node.listBucketed() ? 1 : 0);
        this.firstKey = types.size() - node.dynamicColumns().size() - numberColumns;
        this.summarized = node.summarized() ? types.subList(firstData, firstKey) : List.of();
        List<SqlType> keys = types.subList(firstKey, types.size());
        this.names = new PartitionNames(
                node.dynamicColumns(),
                types.subList(firstKey, types.size() - numberColumns),
                target.defaultPartition(),
                functions);
        this.inserts = files(keys, false);
        this.deletes = files(keys, true);
    }

    private PartitionFiles files(List<SqlType> keys, boolean isDelete) {
        return new PartitionFiles(keys, node.listBucketed(), node.bucketed(), names, part -> open(part, isDelete));
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.WRITE;
    }

    /** Waits for the memory of the first file before it is opened. */
    @Override
    public CompletableFuture<?> blocked() {
        if (!asked) {
            asked = true;
            memory.set(firstBytes);
        }
        return memory.granted();
    }

    @Override
    public boolean needsInput() {
        return !finishing;
    }

    @Override
    public void add(Batch batch) {
        if (node.changes()) {
            addChanges(batch);
        } else {
            inserts.add(columns(batch, 0, firstKey), keys(batch));
        }
        memory.set(Math.max(firstBytes, bufferedBytes()));
    }

    private static Batch columns(Batch batch, int from, int to) {
        return new Batch(batch.columns().subList(from, to), batch.rowCount());
    }

    private List<Vector> keys(Batch batch) {
        return batch.columns().subList(firstKey, batch.columnCount());
    }

    private void addChanges(Batch batch) {
        LongVector kinds = (LongVector) batch.column(0).flatten();
        int[] positions = new int[batch.rowCount()];
        int count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            positions[count] = row;
            RowChange change = change(kinds, row);
            count += change.deletes() ? 1 : 0;
            replaced += change == RowChange.UPDATE ? 1 : 0;
        }
        if (count > 0) {
            Batch deleted = batch.select(Arrays.copyOf(positions, count), count);
            deletes.add(columns(deleted, 1, firstData), keys(deleted));
        }
        count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            positions[count] = row;
            count += change(kinds, row).inserts() ? 1 : 0;
        }
        if (count > 0) {
            Batch inserted = batch.select(Arrays.copyOf(positions, count), count);
            inserts.add(columns(inserted, firstData, firstKey), keys(inserted));
        }
    }

    private static RowChange change(LongVector kinds, int row) {
        return RowChange.values()[Math.toIntExact(kinds.value(row))];
    }

    private long bufferedBytes() {
        return inserts.bufferedBytes() + deletes.bufferedBytes();
    }

    private PartitionFile open(Part part, boolean isDelete) {
        requireFew(part.partition());
        String partition = (node.staticPartition() + part.partition()).replaceAll("/$", "");
        String staging = isDelete ? node.deletesPath() : node.stagingPath();
        String folder = partition.isEmpty() ? staging : staging + "/" + partition;
        if (part.list().isPresent()) {
            folder += "/" + node.listFolders().get(part.list().getAsInt());
        }
        int bucket = part.bucket().orElse(target.writer());
        String name = part.bucket().isPresent() || node.rowIds().isPresent()
                ? BucketFileName.of(bucket, target.fileName())
                : target.fileName();
        TableLayout layout = node.layout(partition);
        long first = target.sinks().firstBytes(layout);
        if (first > 0) {
            memory.require(bufferedBytes() + first);
        }
        Optional<AcidWrite> write = isDelete ? node.deletes() : node.rowIds();
        String path = folder + "/" + name;
        PageSink sink = write.map(rows -> target.sinks().create(layout, path, rows, requireRoom(bucket)))
                .orElseGet(() -> target.sinks().create(layout, path));
        return new PartitionFile(partition, isDelete ? new DistinctRowIds(sink) : sink, summarized);
    }

    private void requireFew(String partition) {
        if (!partition.isEmpty() && partitions.add(partition) && partitions.size() > target.maxPartitions()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PARTITION,
                            "more than " + target.maxPartitions() + " dynamic partitions of "
                                    + node.table().name() + " would be written at once")
                    .withHint("raise hive.exec.max.dynamic.partitions.pernode,"
                            + " or distribute the rows by the partition columns");
        }
    }

    private int requireRoom(int bucket) {
        if (bucket > BucketProperty.MAX_BUCKET) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "more than " + (BucketProperty.MAX_BUCKET + 1) + " tasks or buckets would write rows with"
                                    + " identifiers to " + node.table().name())
                    .withHint("write the rows with several statements");
        }
        return bucket;
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public @Nullable Batch output() {
        if (!finishing || done) {
            return null;
        }
        List<VectorAppender> columns = PlanNode.TableWrite.OUTPUT_TYPES.stream()
                .map(VectorAppender::of)
                .toList();
        deletes.finish((file, end) -> append(file, end, columns));
        inserts.finish((file, end) -> append(file, end, columns));
        // Finished files hold no buffers, and the operator that sends the output needs memory.
        memory.set(0);
        for (int row = 0; row < deletes.size() + inserts.size(); row++) {
            columns.get(5).appendLong(row == 0 ? replaced : 0);
        }
        done = true;
        return new Batch(columns.stream().map(VectorAppender::build).toList(), deletes.size() + inserts.size());
    }

    private static void append(PartitionFile file, WrittenFile end, List<VectorAppender> columns) {
        append(columns.get(0), end.path());
        append(columns.get(1), file.partition());
        columns.get(2).appendLong(end.rowCount());
        columns.get(3).appendLong(end.length());
        file.summaries()
                .ifPresentOrElse(
                        bytes -> columns.get(4).appendBytes(bytes, 0, bytes.length),
                        () -> columns.get(4).appendNull());
    }

    private static void append(VectorAppender column, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        column.appendBytes(bytes, 0, bytes.length);
    }

    @Override
    public boolean finished() {
        return done;
    }

    @Override
    public void close() {
        try (memory;
                names;
                inserts) {
            deletes.close();
        }
    }
}
