package io.skep.engine.operator;

import com.google.common.collect.Lists;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.rows.GroupIndex;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.BucketFileName;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import io.skep.storage.write.WrittenFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes its input to files below the staging folder, one for each partition and bucket that occurs. At the end it
 * outputs one row per file. Files that are not finished when the operator is closed are aborted.
 */
public final class TableWriteOperator implements Operator {
    /**
     * How files are created.
     *
     * @param fileName the name of this driver's files, different from those of all other drivers and tasks
     * @param maxPartitions the maximum number of partitions that a driver may write
     * @param defaultPartition the folder name for null and empty text
     */
    public record Target(PageSinkFactory sinks, String fileName, int maxPartitions, String defaultPartition) {}

    private final PlanNode.TableWrite node;
    private final Target target;
    private final OperatorMemory memory;
    /** The bytes of a file with its first rows. */
    private final long firstBytes;

    private final int dataColumns;
    private final List<SqlType> summarized;
    private final GroupIndex parts;
    private final PartitionNames names;
    private final List<PartitionFile> files = new ArrayList<>();
    private final Map<Part, Integer> fileOfName = new HashMap<>();
    private final Set<String> partitions = new HashSet<>();
    private final List<Integer> fileOfPart = new ArrayList<>();
    private final List<WrittenFile> written = new ArrayList<>();
    private boolean asked;
    private boolean finishing;
    private boolean done;

    /** Identifies the rows of one file. */
    private record Part(String partition, OptionalInt bucket) {}

    public TableWriteOperator(
            PlanNode.TableWrite node, Target target, FunctionRegistry functions, OperatorContext context) {
        this.node = node;
        this.target = target;
        this.memory = context.account();
        this.firstBytes = target.sinks().firstBytes(node.table());
        List<SqlType> types = node.input().outputTypes();
        int bucketColumns = node.bucketed() ? 1 : 0;
        this.dataColumns = types.size() - node.dynamicColumns().size() - bucketColumns;
        this.summarized = node.summarized() ? types.subList(0, dataColumns) : List.of();
        List<SqlType> dynamicTypes = types.subList(dataColumns, types.size() - bucketColumns);
        this.parts = new GroupIndex(types.subList(dataColumns, types.size()));
        this.names = new PartitionNames(node.dynamicColumns(), dynamicTypes, target.defaultPartition(), functions);
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
        Batch data = new Batch(batch.columns().subList(0, dataColumns), batch.rowCount());
        if (dataColumns == batch.columnCount()) {
            if (files.isEmpty()) {
                open(new Part("", OptionalInt.empty()));
            }
            files.getFirst().append(data);
        } else {
            route(data, batch.columns().subList(dataColumns, batch.columnCount()));
        }
        memory.set(Math.max(firstBytes, bufferedBytes()));
    }

    private long bufferedBytes() {
        long buffered = 0;
        for (PartitionFile file : files) {
            buffered += file.bufferedBytes();
        }
        return buffered;
    }

    private void route(Batch data, List<Vector> values) {
        int rows = data.rowCount();
        int[] partOf = new int[rows];
        int known = parts.size();
        parts.assign(values, rows, partOf);
        openNew(known);
        int[] starts = new int[parts.size() + 1];
        for (int part : partOf) {
            starts[part + 1]++;
        }
        for (int i = 0; i < parts.size(); i++) {
            starts[i + 1] += starts[i];
        }
        int[] next = starts.clone();
        int[] positions = new int[rows];
        for (int row = 0; row < rows; row++) {
            positions[next[partOf[row]]++] = row;
        }
        for (int i = 0; i < parts.size(); i++) {
            int count = starts[i + 1] - starts[i];
            if (count > 0) {
                int[] own = Arrays.copyOfRange(positions, starts[i], starts[i + 1]);
                files.get(fileOfPart.get(i)).append(count == rows ? data : data.select(own, count));
            }
        }
    }

    private void openNew(int known) {
        int added = parts.size() - known;
        if (added == 0) {
            return;
        }
        List<Vector> keys = parts.keys(known, added);
        List<String> addedNames = names.of(keys, added);
        for (int i = 0; i < added; i++) {
            requireFew(addedNames.get(i));
            fileOfPart.add(fileOfName.computeIfAbsent(new Part(addedNames.get(i), bucket(keys, i)), this::open));
        }
    }

    private OptionalInt bucket(List<Vector> keys, int row) {
        if (!node.bucketed()) {
            return OptionalInt.empty();
        }
        LongVector buckets = (LongVector) keys.getLast().flatten();
        return OptionalInt.of(Math.toIntExact(buckets.value(row)));
    }

    private void requireFew(String partition) {
        if (partitions.add(partition) && partitions.size() > target.maxPartitions()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PARTITION,
                            "more than " + target.maxPartitions() + " dynamic partitions of "
                                    + node.table().name() + " would be written at once")
                    .withHint("raise hive.exec.max.dynamic.partitions.pernode,"
                            + " or distribute the rows by the partition columns");
        }
    }

    /** Opens a file and returns its number. Null and empty text share a file, as do values with the same text. */
    private int open(Part part) {
        String partition = (node.staticPartition() + part.partition()).replaceAll("/$", "");
        String folder = partition.isEmpty() ? node.stagingPath() : node.stagingPath() + "/" + partition;
        String name = part.bucket().isPresent()
                ? BucketFileName.of(part.bucket().getAsInt(), target.fileName())
                : target.fileName();
        TableLayout layout = node.layout(partition);
        long first = target.sinks().firstBytes(layout);
        if (first > 0) {
            memory.require(bufferedBytes() + first);
        }
        PageSink sink = target.sinks().create(layout, folder + "/" + name);
        files.add(new PartitionFile(partition, sink, summarized));
        return files.size() - 1;
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
        for (PartitionFile file : files) {
            WrittenFile end = file.finish();
            written.add(end);
            append(columns.get(0), end.path());
            append(columns.get(1), file.partition());
            columns.get(2).appendLong(end.rowCount());
            columns.get(3).appendLong(end.length());
            file.summaries()
                    .ifPresentOrElse(
                            bytes -> columns.get(4).appendBytes(bytes, 0, bytes.length),
                            () -> columns.get(4).appendNull());
        }
        done = true;
        return new Batch(columns.stream().map(VectorAppender::build).toList(), files.size());
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
                names) {
            List<PartitionFile> unfinished = files.subList(written.size(), files.size());
            Closeables.closeAll(Lists.<PartitionFile, AutoCloseable>transform(unfinished, file -> file::abort));
        } finally {
            files.clear();
            written.clear();
        }
    }
}
