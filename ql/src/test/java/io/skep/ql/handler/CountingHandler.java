package io.skep.ql.handler;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hive.metastore.DefaultHiveMetaHook;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.ql.metadata.DefaultStorageHandler;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A storage handler whose rows are numbers from 0 on, as text: the number and "row" with the number. The property
 * {@code count.rows} says how many there are in each of the {@code count.splits} splits.
 */
public final class CountingHandler extends DefaultStorageHandler {
    /** Runs before each row, on the thread that reads it. */
    static final AtomicReference<Runnable> BEFORE_ROW = new AtomicReference<>(() -> {});

    /** What the hooks and readers did, in order. */
    static final List<String> CALLS = new CopyOnWriteArrayList<>();

    @Override
    @SuppressWarnings("rawtypes") // as in Hive's interface
    public Class<? extends InputFormat> getInputFormatClass() {
        return Rows.class;
    }

    @Override
    public HiveMetaHook getMetaHook() {
        return new Hook();
    }

    /** Records its calls. Refuses tables of the name "refused", and gives the others a number of splits. */
    @NullUnmarked
    private static final class Hook extends DefaultHiveMetaHook {
        @Override
        public void preCreateTable(Table table) throws MetaException {
            CALLS.add("create " + table.getTableName());
            if (table.getTableName().equals("refused")) {
                throw new MetaException("the other system does not want it");
            }
            table.getParameters().putIfAbsent("count.splits", "2");
        }

        @Override
        public void rollbackCreateTable(Table table) {
            CALLS.add("create rolled back " + table.getTableName());
        }

        @Override
        public void commitCreateTable(Table table) {
            CALLS.add("created " + table.getTableName());
        }

        @Override
        public void preDropTable(Table table) {
            CALLS.add("drop " + table.getTableName());
        }

        @Override
        public void rollbackDropTable(Table table) {
            CALLS.add("drop rolled back " + table.getTableName());
        }

        @Override
        public void commitDropTable(Table table, boolean deletes) {
            CALLS.add("dropped " + table.getTableName() + (deletes ? " with its data" : ""));
        }

        @Override
        public void commitInsertTable(Table table, boolean overwrite) {}

        @Override
        public void preInsertTable(Table table, boolean overwrite) {}

        @Override
        public void rollbackInsertTable(Table table, boolean overwrite) {}
    }

    /** The rows of a part of the numbers. */
    public static final class Rows implements InputFormat<NullWritable, Text> {
        @Override
        public InputSplit[] getSplits(JobConf job, int wanted) {
            int rows = job.getInt("count.rows", 0);
            InputSplit[] splits = new InputSplit[job.getInt("count.splits", 1)];
            for (int i = 0; i < splits.length; i++) {
                splits[i] = new Part(i * rows, (i + 1) * rows);
            }
            CALLS.add("columns " + job.get(ColumnProjectionUtils.READ_COLUMN_NAMES_CONF_STR));
            return splits;
        }

        @Override
        public RecordReader<NullWritable, Text> getRecordReader(InputSplit split, JobConf job, Reporter reporter) {
            return new Numbers((Part) split, job.get("count.prefix", "row"));
        }
    }

    private static final class Part implements InputSplit {
        private final int from;
        private final int to;

        Part(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public long getLength() {
            return (long) to - from;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) throws IOException {
            throw new IOException("splits stay in the server");
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            throw new IOException("splits stay in the server");
        }
    }

    private static final class Numbers implements RecordReader<NullWritable, Text> {
        private final Part part;
        private final String prefix;
        private int next;

        Numbers(Part part, String prefix) {
            this.part = part;
            this.prefix = prefix;
            this.next = part.from;
        }

        @Override
        public boolean next(@Nullable NullWritable key, Text value) {
            BEFORE_ROW.get().run();
            if (next == part.to) {
                return false;
            }
            value.set(next + "\001" + prefix + next);
            next++;
            return true;
        }

        @Override
        public NullWritable createKey() {
            return NullWritable.get();
        }

        @Override
        public Text createValue() {
            return new Text();
        }

        @Override
        public long getPos() {
            return (long) next - part.from;
        }

        @Override
        public void close() {
            CALLS.add("closed");
        }

        @Override
        public float getProgress() {
            return 0;
        }
    }
}
