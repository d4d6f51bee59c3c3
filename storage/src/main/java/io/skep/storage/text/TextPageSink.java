package io.skep.storage.text;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.serde2.ByteStream;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;

/** Writes text as Hive's SerDe does, each value through its serialize method. */
public final class TextPageSink implements PageSink {
    private static final int BUFFER = 256 << 10;

    private final StorageFileSystem files;
    private final String path;
    private final Optional<OutputCompression> compression;
    private final TextFormat format;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private final List<ObjectInspector> inspectors = new ArrayList<>();
    private final ByteStream.Output line = new ByteStream.Output();
    private final OutputStream out;
    private long rows;
    private long bytes;

    /**
     * @param path without the extension of compressed files
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    public TextPageSink(
            StorageFileSystem files,
            TableLayout table,
            String path,
            ZoneId zone,
            Optional<OutputCompression> compression) {
        this.files = files;
        this.path = path + compression.map(OutputCompression::extension).orElse("");
        this.compression = compression;
        this.format = TextFormat.of(table.format(), table.dataColumns());
        for (Column column : table.dataColumns()) {
            readers.add(HiveValueReader.of(column.type(), zone));
            inspectors.add(HiveTypes.inspector(column.type(), zone));
        }
        this.out = new BufferedOutputStream(opened(), BUFFER);
    }

    private OutputStream opened() {
        OutputStream file = files.create(path);
        return compression.map(used -> used.over(file)).orElse(file);
    }

    @Override
    public void append(Batch batch) {
        List<Vector> columns = batch.columns().stream().map(Vector::flatten).toList();
        try {
            for (int row = 0; row < batch.rowCount(); row++) {
                appendRow(columns, row);
            }
        } catch (IOException e) {
            throw failed(e);
        } catch (SerDeException e) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "a value has no text form: " + e.getMessage(), e);
        }
    }

    private void appendRow(List<Vector> columns, int row) throws IOException, SerDeException {
        line.reset();
        var parameters = format.parameters();
        for (int i = 0; i < readers.size(); i++) {
            if (i > 0) {
                line.write(format.fieldDelimiter());
            }
            LazySimpleSerDe.serialize(
                    line,
                    readers.get(i).read(columns.get(i), row),
                    inspectors.get(i),
                    parameters.getSeparators(),
                    1,
                    parameters.getNullSequence(),
                    parameters.isEscaped(),
                    parameters.getEscapeChar(),
                    parameters.getNeedsEscape());
        }
        if (!format.isUtf8()) {
            // Characters that the charset does not have become question marks, as in Hive.
            String text = new String(line.getData(), 0, line.getLength(), StandardCharsets.UTF_8);
            line.reset();
            line.write(text.getBytes(format.charset()));
        }
        line.write('\n');
        out.write(line.getData(), 0, line.getLength());
        rows++;
        bytes += line.getLength();
    }

    @Override
    public long bufferedBytes() {
        return BUFFER + compression.map(OutputCompression::retainedBytes).orElse(0L);
    }

    @Override
    public WrittenFile finish() {
        try {
            out.close();
        } catch (IOException e) {
            throw failed(e);
        }
        long length = compression.isPresent() ? files.status(path).version().length() : bytes;
        return new WrittenFile(path, rows, length);
    }

    @Override
    public void abort() {
        try {
            out.close();
        } catch (IOException | SkepException e) {
            // The file is deleted in any case, so bytes that were not written do not matter.
            files.delete(path);
            return;
        }
        files.delete(path);
    }

    private SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "cannot write " + path + ": " + e.getMessage(), e);
    }
}
