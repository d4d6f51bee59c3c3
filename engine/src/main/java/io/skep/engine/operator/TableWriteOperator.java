package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.rows.GroupIndex;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import io.skep.storage.write.WrittenFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes its input into files below the staging folder, one for each partition that comes. Output, at the end: a row a file.
 * Files that are not finished when the operator is closed are aborted.
 */
public final class TableWriteOperator implements Operator {
    /**
     * How files are made.
     *
     * @param fileName of this driver's files, unlike those of all other drivers and tasks
     * @param maxPartitions a driver may write
     * @param defaultPartition what stands for null and empty text in a folder's name
     */
    public record Target(PageSinkFactory sinks, String fileName, int maxPartitions, String defaultPartition) {}

    private final PlanNode.TableWrite node;
    private final Target target;
    private final OperatorMemory memory;
    private final int dataColumns;
    private final List<SqlType> summarized;
    private final GroupIndex partitions;
    private final PartitionNames names;
    private final List<PartitionFile> files = new ArrayList<>();
    private final Map<String, Integer> fileOfName = new HashMap<>();
    private final List<Integer> fileOfPartition = new ArrayList<>();
    private final List<WrittenFile> written = new ArrayList<>();
    private boolean finishing;
    private boolean done;

    public TableWriteOperator(
            PlanNode.TableWrite node, Target target, FunctionRegistry functions, OperatorContext context) {
        this.node = node;
        this.target = target;
        this.memory = context.account();
        List<SqlType> types = node.input().outputTypes();
        this.dataColumns = types.size() - node.dynamicColumns().size();
        this.summarized = node.summarized() ? types.subList(0, dataColumns) : List.of();
        List<SqlType> dynamicTypes = types.subList(dataColumns, types.size());
        this.partitions = new GroupIndex(dynamicTypes);
        this.names = new PartitionNames(node.dynamicColumns(), dynamicTypes, target.defaultPartition(), functions);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.WRITE;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return memory.granted();
    }

    @Override
    public boolean needsInput() {
        return !finishing;
    }

    @Override
    public void add(Batch batch) {
        Batch data = new Batch(batch.columns().subList(0, dataColumns), batch.rowCount());
        if (node.dynamicColumns().isEmpty()) {
            if (files.isEmpty()) {
                open("");
            }
            files.getFirst().append(data);
        } else {
            route(data, batch.columns().subList(dataColumns, batch.columnCount()));
        }
        long buffered = 0;
        for (PartitionFile file : files) {
            buffered += file.bufferedBytes();
        }
        memory.set(buffered);
    }

    private void route(Batch data, List<Vector> values) {
        int rows = data.rowCount();
        int[] partitionOf = new int[rows];
        int known = partitions.size();
        partitions.assign(values, rows, partitionOf);
        openNew(known);
        int[] starts = new int[partitions.size() + 1];
        for (int partition : partitionOf) {
            starts[partition + 1]++;
        }
        for (int i = 0; i < partitions.size(); i++) {
            starts[i + 1] += starts[i];
        }
        int[] next = starts.clone();
        int[] positions = new int[rows];
        for (int row = 0; row < rows; row++) {
            positions[next[partitionOf[row]]++] = row;
        }
        for (int i = 0; i < partitions.size(); i++) {
            int count = starts[i + 1] - starts[i];
            if (count > 0) {
                int[] own = Arrays.copyOfRange(positions, starts[i], starts[i + 1]);
                files.get(fileOfPartition.get(i)).append(count == rows ? data : data.select(own, count));
            }
        }
    }

    private void openNew(int known) {
        int added = partitions.size() - known;
        if (partitions.size() > target.maxPartitions()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PARTITION,
                            "more than " + target.maxPartitions() + " dynamic partitions of "
                                    + node.table().name() + " would be written at once")
                    .withHint(
                            "raise hive.exec.max.dynamic.partitions.pernode, or distribute the rows by the partition columns");
        }
        if (added > 0) {
            for (String name : names.of(partitions.keys(known, added), added)) {
                fileOfPartition.add(fileOfName.computeIfAbsent(name, this::open));
            }
        }
    }

    /** Opens a file and gives its number; null and empty text, and values with the same text, share one. */
    private int open(String dynamicPartition) {
        String partition = (node.staticPartition() + dynamicPartition).replaceAll("/$", "");
        String folder = partition.isEmpty() ? node.stagingPath() : node.stagingPath() + "/" + partition;
        PageSink sink = target.sinks().create(node.table(), folder + "/" + target.fileName());
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
        for (int i = written.size(); i < files.size(); i++) {
            files.get(i).abort();
        }
        files.clear();
        written.clear();
        names.close();
        memory.close();
    }
}
