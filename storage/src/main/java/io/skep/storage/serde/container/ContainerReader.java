package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/** Opens the records of files of one kind, in place of Hive's input format. */
@FunctionalInterface
public interface ContainerReader {
    ContainerReader SEQUENCE_FILE =
            (file, path, serde, limit, job) -> new SequenceRecords(file, path, serde.getSerializedClass(), limit, job);
    ContainerReader RCFILE = (file, path, serde, limit, job) -> new RcFileRecords(file, path, limit, job);
    ContainerReader AVRO = (file, path, serde, limit, job) -> new AvroRecords(file, path, limit, job);

    /**
     * @param path of the file, for errors
     * @param serde a SerDe that was initialized with the job
     */
    RecordReader<?, ?> open(FileInput file, String path, AbstractSerDe serde, RecordLimit limit, JobConf job)
            throws IOException;
}
