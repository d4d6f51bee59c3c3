package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.jspecify.annotations.Nullable;

/** Makes a line of text of each row, by the SerDe of a format. Owned by one thread. */
public final class TextRecordEncoder {
    private final String serdeName;
    private final AbstractSerDe serde;
    private final ObjectInspector inspector;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private List<Vector> columns = List.of();

    /**
     * @param rows the columns of the rows, and their format
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    public TextRecordEncoder(TableLayout rows, ZoneId zone) {
        this.serdeName = rows.format().serde();
        this.serde = SerdeClasses.serde(
                rows.format(), SerdeClasses.properties(rows.format(), rows.dataColumns()), new JobConf(false));
        List<String> names = new ArrayList<>();
        List<ObjectInspector> fields = new ArrayList<>();
        for (Column column : rows.dataColumns()) {
            names.add(column.name());
            fields.add(HiveTypes.inspector(column.type(), zone));
            readers.add(HiveValueReader.of(column.type(), zone));
        }
        this.inspector = ObjectInspectorFactory.getStandardStructObjectInspector(names, fields);
    }

    /** Sets the batch whose rows {@link #encode} takes. */
    public void start(Batch batch) {
        columns = batch.columns().stream().map(Vector::flatten).toList();
    }

    /**
     * Returns a row of the batch as a text without the end of the line. It is valid until the next call.
     *
     * @throws SkepException INVALID_ARGUMENT when the SerDe does not take the row, NOT_SUPPORTED when it makes no text
     */
    public Text encode(int row) {
        List<@Nullable Object> values = new ArrayList<>(readers.size());
        for (int i = 0; i < readers.size(); i++) {
            values.add(readers.get(i).read(columns.get(i), row));
        }
        Writable record;
        try {
            record = serde.serialize(values, inspector);
        } catch (SerDeException | RuntimeException e) {
            throw e instanceof SkepException skep
                    ? skep
                    : new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "SerDe " + serdeName + " cannot write a row: " + e.getMessage(),
                            e);
        }
        if (record instanceof Text text) {
            return text;
        }
        throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "SerDe " + serdeName + " makes " + record.getClass().getSimpleName() + ", not lines of text")
                .withHint("use a SerDe of text, such as " + SerdeClasses.LAZY_SIMPLE);
    }

    /** Releases the batch. */
    public void finish() {
        columns = List.of();
    }
}
