package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.columnar.BytesRefArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an RCFile with the columns that a job requests. The other columns are empty. The layout follows the
 * grammar in the documentation of Hive's class RCFile. Owned by one thread.
 */
final class RcFileRecords implements RecordReader<NullWritable, BytesRefArrayWritable> {
    private static final String TOLERATE = "hive.io.rcfile.tolerate.corruptions";

    private final SyncedInput groups;
    private final BoundedInput in;
    private final boolean[] wanted;
    private final boolean tolerant;
    private final @Nullable Unpacking unpacking;
    private @Nullable RcFileGroup group;

    /** @param file is closed together with this object */
    RcFileRecords(FileInput file, String path, RecordLimit limit, JobConf job) throws IOException {
        this.in = BoundedInput.of(file);
        this.groups = new SyncedInput(in);
        this.tolerant = job.getBoolean(TOLERATE, false);
        RcFileHeader header = RcFileHeader.read(groups);
        this.wanted = wanted(columns(header.columns()), job);
        this.unpacking = header.isCompressed() ? new Unpacking(Codecs.named(header.codec(), job), limit, path) : null;
    }

    /** Each column has three numbers in each row group. A file with fewer bytes than columns has no rows. */
    private int columns(String text) throws IOException {
        if (!text.matches("\\d{1,9}")) {
            throw new IOException("the number of columns is '" + text.substring(0, Math.min(20, text.length())) + "'");
        }
        return in.left() < RcFileGroup.MIN_RECORD ? 0 : in.count(Long.parseLong(text), "columns");
    }

    private static boolean[] wanted(int columns, JobConf job) {
        boolean[] wanted = new boolean[columns];
        Arrays.fill(wanted, ColumnProjectionUtils.isReadAllColumns(job));
        for (int column : ColumnProjectionUtils.getReadColumnIDs(job)) {
            if (column < columns) {
                wanted[column] = true;
            }
        }
        return wanted;
    }

    @Override
    public NullWritable createKey() {
        return NullWritable.get();
    }

    @Override
    public BytesRefArrayWritable createValue() {
        return new BytesRefArrayWritable(wanted.length);
    }

    @Override
    public boolean next(NullWritable key, BytesRefArrayWritable row) throws IOException {
        try {
            return nextRow(row);
        } catch (IOException | RuntimeException e) {
            if (tolerant) {
                return false;
            }
            throw e;
        }
    }

    private boolean nextRow(BytesRefArrayWritable row) throws IOException {
        RcFileGroup current = group;
        while (current == null || !current.hasNext()) {
            int length = groups.nextLength();
            if (length < 0) {
                return false;
            }
            current = RcFileGroup.read(in, length, wanted, unpacking);
            group = current;
        }
        current.next(row);
        return true;
    }

    @Override
    public long getPos() {
        return in.position();
    }

    @Override
    public float getProgress() {
        return in.progress();
    }

    @Override
    public void close() {
        if (unpacking != null) {
            unpacking.close();
        }
        in.close();
    }
}
