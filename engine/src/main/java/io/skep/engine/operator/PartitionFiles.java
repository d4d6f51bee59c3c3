package io.skep.engine.operator;

import com.google.common.collect.Lists;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.GroupIndex;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The files that one driver writes, one for each partition, list bucket and bucket that occurs. Rows keep their order
 * in a file.
 */
final class PartitionFiles implements AutoCloseable {
    private final boolean listBucketed;
    private final boolean bucketed;
    private final PartitionNames names;
    private final Function<Part, PartitionFile> opener;
    private final GroupIndex parts;
    private final boolean single;
    private final List<PartitionFile> files = new ArrayList<>();
    private final Map<Part, Integer> fileOfName = new HashMap<>();
    private final List<Integer> fileOfPart = new ArrayList<>();
    private int finished;

    /** Identifies the rows of one file. */
    record Part(String partition, OptionalInt list, OptionalInt bucket) {}

    /**
     * @param keys types of the dynamic partition columns, then of the list bucket's number and the bucket's number
     * @param listBucketed whether there is a list bucket's number
     * @param bucketed whether there is a bucket's number
     * @param names belongs to the caller
     */
    PartitionFiles(
            List<SqlType> keys,
            boolean listBucketed,
            boolean bucketed,
            PartitionNames names,
            Function<Part, PartitionFile> opener) {
        this.listBucketed = listBucketed;
        this.bucketed = bucketed;
        this.names = names;
        this.opener = opener;
        this.parts = new GroupIndex(keys);
        this.single = keys.isEmpty();
    }

    long bufferedBytes() {
        long buffered = 0;
        for (PartitionFile file : files) {
            buffered += file.bufferedBytes();
        }
        return buffered;
    }

    /** @param keys the dynamic partition columns, the list bucket's number and the bucket's number of the rows */
    void add(Batch data, List<Vector> keys) {
        if (single) {
            if (files.isEmpty()) {
                open(new Part("", OptionalInt.empty(), OptionalInt.empty()));
            }
            files.getFirst().append(data);
        } else {
            route(data, keys);
        }
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
            OptionalInt list = listBucketed ? number(keys, bucketed ? 2 : 1, i) : OptionalInt.empty();
            OptionalInt bucket = bucketed ? number(keys, 1, i) : OptionalInt.empty();
            fileOfPart.add(fileOfName.computeIfAbsent(new Part(addedNames.get(i), list, bucket), this::open));
        }
    }

    /** @param fromEnd the position of the column, 1 for the last one */
    private static OptionalInt number(List<Vector> keys, int fromEnd, int row) {
        LongVector numbers = (LongVector) keys.get(keys.size() - fromEnd).flatten();
        return OptionalInt.of(Math.toIntExact(numbers.value(row)));
    }

    /** Opens a file and returns its number. Null and empty text share a file, as do values with the same text. */
    private int open(Part part) {
        files.add(opener.apply(part));
        return files.size() - 1;
    }

    /** Finishes all files, in the order in which they were opened. */
    void finish(BiConsumer<PartitionFile, WrittenFile> ended) {
        for (PartitionFile file : files) {
            WrittenFile end = file.finish();
            finished++;
            ended.accept(file, end);
        }
    }

    int size() {
        return files.size();
    }

    /** Aborts the files that are not finished. */
    @Override
    public void close() {
        try {
            List<PartitionFile> unfinished = files.subList(finished, files.size());
            Closeables.closeAll(Lists.<PartitionFile, AutoCloseable>transform(unfinished, file -> file::abort));
        } finally {
            files.clear();
            finished = 0;
        }
    }
}
