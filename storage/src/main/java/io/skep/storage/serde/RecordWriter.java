package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.table.TableFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
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
    Set<String> LINE_FORMATS = Set.of("HiveIgnoreKeyTextOutputFormat", "IgnoreKeyTextOutputFormat", "TextOutputFormat");

    Set<String> SEQUENCE_FORMATS = Set.of("HiveSequenceFileOutputFormat", "SequenceFileOutputFormat");

    void write(Writable record) throws IOException;

    void close(boolean abort) throws IOException;

    static RecordWriter open(
            HadoopFileSystem files,
            TableFormat format,
            String path,
            AbstractSerDe serde,
            Properties properties,
            JobConf job,
            Optional<OutputCompression> compression) {
        try {
            if (writesLines(format)) {
                OutputStream file = files.create(path);
                OutputStream out = compression.map(used -> used.over(file)).orElse(file);
                return new OfLines(new BufferedOutputStream(out, 256 << 10));
            }
            if (SEQUENCE_FORMATS.contains(plainName(format))) {
                return new OfSequence(SequenceFile.createWriter(
                        job,
                        SequenceFile.Writer.file(new Path(path)),
                        SequenceFile.Writer.keyClass(BytesWritable.class),
                        SequenceFile.Writer.valueClass(serde.getSerializedClass()),
                        compression
                                .map(used -> SequenceFile.Writer.compression(used.type(), used.codec()))
                                .orElse(SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))));
            }
            compression.ifPresent(used -> {
                job.setBoolean("mapreduce.output.fileoutputformat.compress", true);
                job.set(OutputCompression.CODEC, used.codec().getClass().getName());
            });
            return ofHive(format, path, serde, properties, job, compression.isPresent());
        } catch (IOException e) {
            throw FileErrors.of("cannot create", path, e);
        }
    }

    /** Whether the files of a format are lines of text. The extension of such a file names its codec. */
    static boolean writesLines(TableFormat format) {
        return LINE_FORMATS.contains(plainName(format));
    }

    private static String plainName(TableFormat format) {
        return format.outputFormat().substring(format.outputFormat().lastIndexOf('.') + 1);
    }

    private static RecordWriter ofHive(
            TableFormat format,
            String path,
            AbstractSerDe serde,
            Properties properties,
            JobConf job,
            boolean compressed)
            throws IOException {
        Object made = SerdeClasses.make(format.outputFormat(), Object.class, job);
        if (!(made instanceof HiveOutputFormat<?, ?> output)) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED, "writing by output format " + format.outputFormat());
        }
        return new OfHive(output.getHiveRecordWriter(
                job, new Path(path), serde.getSerializedClass(), compressed, properties, Reporter.NULL));
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
