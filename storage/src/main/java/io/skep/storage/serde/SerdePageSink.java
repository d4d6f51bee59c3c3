package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.mapred.JobConf;
import org.jspecify.annotations.Nullable;

/** Writes a file row by row through a table's SerDe and output format. */
public final class SerdePageSink implements PageSink {
    private final HadoopFileSystem files;
    private final String path;
    private final AbstractSerDe serde;
    private final ObjectInspector inspector;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private final RecordWriter writer;
    private long rows;

    /** @param zone the time zone for texts of type timestamp with local time zone */
    public SerdePageSink(HadoopFileSystem files, TableLayout table, String path, ZoneId zone) {
        this.files = files;
        this.path = path;
        JobConf job = new JobConf(files.configuration());
        Properties properties = SerdeClasses.properties(table.format(), table.dataColumns());
        table.properties().forEach(properties::putIfAbsent);
        this.serde = SerdeClasses.serde(table.format(), properties, job);
        List<String> names = new ArrayList<>();
        List<ObjectInspector> fields = new ArrayList<>();
        for (Column column : table.dataColumns()) {
            names.add(column.name());
            SqlType type = AvroTypes.written(column.type(), table.format());
            fields.add(HiveTypes.inspector(type, zone));
            readers.add(HiveValueReader.of(type, zone));
        }
        this.inspector = ObjectInspectorFactory.getStandardStructObjectInspector(names, fields);
        this.writer = RecordWriter.open(files, table.format(), path, serde, properties, job);
    }

    @Override
    public void append(Batch batch) {
        List<Vector> columns = batch.columns().stream().map(Vector::flatten).toList();
        try {
            for (int row = 0; row < batch.rowCount(); row++) {
                List<@Nullable Object> values = new ArrayList<>(readers.size());
                for (int i = 0; i < readers.size(); i++) {
                    values.add(readers.get(i).read(columns.get(i), row));
                }
                writer.write(serde.serialize(values, inspector));
                rows++;
            }
        } catch (SerDeException | RuntimeException e) {
            throw e instanceof SkepException skep
                    ? skep
                    : new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "a row cannot be written to " + path + ": " + e.getMessage(),
                            e);
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
    }

    @Override
    public long bufferedBytes() {
        return 1 << 20;
    }

    @Override
    public WrittenFile finish() {
        try {
            writer.close(false);
        } catch (IOException e) {
            files.delete(path);
            throw FileErrors.of("cannot write", path, e);
        }
        return new WrittenFile(path, rows, files.status(path).version().length());
    }

    @Override
    public void abort() {
        try {
            writer.close(true);
        } catch (IOException | RuntimeException e) {
            // The file is discarded, so bytes that were not written do not matter.
        } finally {
            files.delete(path);
        }
    }
}
