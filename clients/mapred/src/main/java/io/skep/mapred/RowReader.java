package io.skep.mapred;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.vector.FieldVector;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.Progressable;

/** Reads a split row by row. One thread at a time. */
public final class RowReader<R extends LlapRow> implements RecordReader<NullWritable, R> {
    private final SplitReader reader;
    private final RowSchema schema;
    private final Function<RowSchema, R> newRow;
    private int row;
    private int count;
    private List<FieldVector> columns = List.of();

    /**
     * @param limit the most bytes of memory that batches may have
     * @param newRow makes a row, which the reader fills
     */
    public RowReader(
            LlapSplit split, Configuration job, long limit, Progressable progress, Function<RowSchema, R> newRow)
            throws IOException {
        this.reader = new SplitReader(split, job, limit, progress);
        this.schema = new RowSchema(reader.schema());
        this.newRow = newRow;
    }

    public RowSchema schema() {
        return schema;
    }

    @Override
    public boolean next(NullWritable key, R value) throws IOException {
        if (row == count && !advance()) {
            return false;
        }
        for (int i = 0; i < columns.size(); i++) {
            value.set(i, ArrowValues.get(columns.get(i), row));
        }
        row++;
        return true;
    }

    private boolean advance() throws IOException {
        row = 0;
        count = 0;
        if (!reader.next()) {
            return false;
        }
        count = reader.batch().getRowCount();
        columns = reader.batch().getFieldVectors();
        return true;
    }

    @Override
    public NullWritable createKey() {
        return NullWritable.get();
    }

    @Override
    public R createValue() {
        return newRow.apply(schema);
    }

    /** Returns the number of rows that were read. */
    @Override
    public long getPos() {
        return reader.delivered() - count + row;
    }

    @Override
    public float getProgress() {
        return reader.progress();
    }

    @Override
    public void close() {
        reader.close();
    }
}
