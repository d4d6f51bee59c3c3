package io.skep.storage.serde;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.table.Column;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/** Makes records of the rows of batches, by a SerDe. Owned by one thread. */
final class SerdeRows {
    private final AbstractSerDe serde;
    private final ObjectInspector inspector;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private List<Vector> columns = List.of();

    /**
     * @param described names of the columns, and the types that the SerDe gets
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    SerdeRows(AbstractSerDe serde, List<Column> described, ZoneId zone) {
        this.serde = serde;
        List<String> names = new ArrayList<>();
        List<ObjectInspector> fields = new ArrayList<>();
        for (Column column : described) {
            names.add(column.name());
            fields.add(HiveTypes.inspector(column.type(), zone));
            readers.add(HiveValueReader.of(column.type(), zone));
        }
        this.inspector = ObjectInspectorFactory.getStandardStructObjectInspector(names, fields);
    }

    /** Sets the batch whose rows {@link #record} takes. */
    void start(Batch batch) {
        columns = batch.columns().stream().map(Vector::flatten).toList();
    }

    /** Returns the record of a row. The SerDe may use it again for the next one. */
    Writable record(int row) throws SerDeException {
        List<@Nullable Object> values = new ArrayList<>(readers.size());
        for (int i = 0; i < readers.size(); i++) {
            values.add(readers.get(i).read(columns.get(i), row));
        }
        return serde.serialize(values, inspector);
    }

    /** Releases the batch. */
    void finish() {
        columns = List.of();
    }
}
