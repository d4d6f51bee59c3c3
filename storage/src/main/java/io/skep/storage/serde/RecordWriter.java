package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.table.TableFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Properties;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.FileSinkOperator;
import org.apache.hadoop.hive.ql.io.HiveOutputFormat;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.io.BinaryComparable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;

/**
 * Writes a SerDe's records to one file. It writes lines and sequence files itself, and uses the table's output format
 * for all other formats.
 */
interface RecordWriter {
    void write(Writable record) throws IOException;

    void close(boolean abort) throws IOException;

    static RecordWriter open(
            HadoopFileSystem files,
            TableFormat format,
            String path,
            AbstractSerDe serde,
            Properties properties,
            JobConf job) {
        String name = format.outputFormat().substring(format.outputFormat().lastIndexOf('.') + 1);
        try {
            return switch (name) {
                case "HiveIgnoreKeyTextOutputFormat", "IgnoreKeyTextOutputFormat", "TextOutputFormat" ->
                    new OfLines(new BufferedOutputStream(files.create(path), 256 << 10));
                case "HiveSequenceFileOutputFormat", "SequenceFileOutputFormat" ->
                    new OfSequence(SequenceFile.createWriter(
                            job,
                            SequenceFile.Writer.file(new Path(path)),
                            SequenceFile.Writer.keyClass(BytesWritable.class),
                            SequenceFile.Writer.valueClass(serde.getSerializedClass()),
                            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE)));
                default -> ofHive(format, path, serde, properties, job);
            };
        } catch (IOException e) {
            throw FileErrors.of("cannot create", path, e);
        }
    }

    private static RecordWriter ofHive(
            TableFormat format, String path, AbstractSerDe serde, Properties properties, JobConf job)
            throws IOException {
        Object made = SerdeClasses.make(format.outputFormat(), Object.class, job);
        if (!(made instanceof HiveOutputFormat<?, ?> output)) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED, "writing by output format " + format.outputFormat());
        }
        return new OfHive(output.getHiveRecordWriter(
                job, new Path(path), serde.getSerializedClass(), false, properties, Reporter.NULL));
    }

    /** Writes one record per line. */
    record OfLines(OutputStream out) implements RecordWriter {
        @Override
        public void write(Writable record) throws IOException {
            BinaryComparable bytes = (BinaryComparable) record;
            out.write(bytes.getBytes(), 0, bytes.getLength());
            out.write('\n');
        }

        @Override
        public void close(boolean abort) throws IOException {
            out.close();
        }
    }

    record OfSequence(SequenceFile.Writer out) implements RecordWriter {
        @Override
        public void write(Writable record) throws IOException {
            out.append(new BytesWritable(), record);
        }

        @Override
        public void close(boolean abort) throws IOException {
            out.close();
        }
    }

    record OfHive(FileSinkOperator.RecordWriter out) implements RecordWriter {
        @Override
        public void write(Writable record) throws IOException {
            out.write(record);
        }

        @Override
        public void close(boolean abort) throws IOException {
            out.close(abort);
        }
    }
}
