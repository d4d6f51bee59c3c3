package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.table.Split;
import java.io.IOException;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * Opens the records of a file. Uses a reader of this package when one exists for the input format, otherwise the input
 * format itself.
 */
public final class RecordReaders {
    private static final String SEQUENCE_FILE = "org.apache.hadoop.mapred.SequenceFileInputFormat";
    private static final String RCFILE = "org.apache.hadoop.hive.ql.io.RCFileInputFormat";
    private static final String AVRO = "org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat";

    private final HadoopFileSystem files;
    private final RecordLimit limit;

    public RecordReaders(HadoopFileSystem files) {
        this.files = files;
        this.limit = RecordLimit.of(files.configuration());
    }

    /**
     * @param part the whole file, unless it is text
     * @param serde a SerDe that was initialized with the job
     */
    public RecordReader<?, ?> open(
            Split split, FileSplit part, InputFormat<?, ?> format, AbstractSerDe serde, JobConf job)
            throws IOException {
        String path = split.file().path();
        return switch (split.format().inputFormat()) {
            case SEQUENCE_FILE ->
                read(split, file -> new SequenceRecords(file, path, serde.getSerializedClass(), limit, job));
            case RCFILE -> read(split, file -> new RcFileRecords(file, path, limit, job));
            case AVRO -> read(split, file -> new AvroRecords(file, path, limit, job));
            default -> format.getRecordReader(part, job, Reporter.NULL);
        };
    }

    /** Creates an object for the values of a reader. */
    public <V> V value(RecordReader<?, V> reader, String path) {
        V value = reader.createValue();
        if (value.getClass() == Text.class) {
            @SuppressWarnings("unchecked")
            V bounded = (V) new BoundedText(limit, path);
            return bounded;
        }
        return value;
    }

    private interface Opening {
        RecordReader<?, ?> of(FileInput file) throws IOException;
    }

    private RecordReader<?, ?> read(Split split, Opening opening) throws IOException {
        FileInput file = files.open(split.file());
        try {
            return opening.of(file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }
}
