package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/** Opens the records of files of one format: by its container reader if it has one, otherwise by its input format. */
public final class RecordReaders {
    private final HadoopFileSystem files;
    private final Optional<ContainerReader> container;
    private final RecordLimit limit;

    public RecordReaders(HadoopFileSystem files, Optional<ContainerReader> container) {
        this.files = files;
        this.container = container;
        this.limit = RecordLimit.of(files.configuration());
    }

    /** Creates the configuration with which one file is read. */
    public JobConf job() {
        return new JobConf(files.configuration());
    }

    /**
     * @param part the whole file, unless it is text
     * @param serde a SerDe that was initialized with the job
     */
    public RecordReader<?, ?> open(
            Split split, FileSplit part, InputFormat<?, ?> format, AbstractSerDe serde, JobConf job)
            throws IOException {
        return container.isPresent()
                ? open(split, container.get(), serde, job)
                : format.getRecordReader(part, job, Reporter.NULL);
    }

    private RecordReader<?, ?> open(Split split, ContainerReader reader, AbstractSerDe serde, JobConf job)
            throws IOException {
        FileInput file = files.open(split.file());
        try {
            return reader.open(file, split.file().path(), serde, limit, job);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
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
}
