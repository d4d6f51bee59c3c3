package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;

/** Makes rows of lines of text, by the SerDe of a format. Owned by one thread. */
public final class TextRecordDecoder {
    private final String serdeName;
    private final AbstractSerDe serde;
    private final List<SerdeColumn> columns;
    private int rows;

    /**
     * @param lines the columns of the rows, and the format of the lines
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    public TextRecordDecoder(TableLayout lines, ZoneId zone) {
        this.serdeName = lines.format().serde();
        this.serde = SerdeClasses.serde(
                lines.format(), SerdeClasses.properties(lines.format(), lines.dataColumns()), new JobConf(false));
        try {
            StructObjectInspector inspector = (StructObjectInspector) serde.getObjectInspector();
            List<Column> described = lines.dataColumns();
            List<Integer> all = IntStream.range(0, described.size()).boxed().toList();
            this.columns = SerdeColumn.of(inspector, all, described, zone);
        } catch (SerDeException e) {
            throw failed("describes no columns", e);
        }
    }

    /** Adds a line, which is not kept. */
    public void add(Text line) {
        try {
            Object row = serde.deserialize(line);
            for (SerdeColumn column : columns) {
                column.append(row);
            }
            rows++;
        } catch (SerDeException | RuntimeException e) {
            throw e instanceof SkepException skep ? skep : failed("cannot read a line", e);
        }
    }

    private SkepException failed(String what, Exception e) {
        return new SkepException(
                StandardErrorCode.INVALID_ARGUMENT, "SerDe " + serdeName + " " + what + ": " + e.getMessage(), e);
    }

    /** Returns the number of rows of the batch that is being made. */
    public int rowCount() {
        return rows;
    }

    /** Returns the rows since the last call. */
    public Batch build() {
        List<Vector> vectors = new ArrayList<>(columns.size());
        columns.forEach(column -> vectors.add(column.build()));
        Batch batch = new Batch(vectors, rows);
        rows = 0;
        return batch;
    }
}
