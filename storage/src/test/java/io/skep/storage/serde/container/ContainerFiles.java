package io.skep.storage.serde.container;

import io.skep.storage.fixture.FormatTables;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.io.RCFile;
import org.apache.hadoop.hive.serde2.columnar.BytesRefArrayWritable;
import org.apache.hadoop.hive.serde2.columnar.BytesRefWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.util.ReflectionUtils;

/** Files with the rows (number, text), written by the libraries of Hadoop, Hive and Avro. */
final class ContainerFiles {
    private static final String HIVE = "org.apache.hadoop.hive.";
    private static final Schema SCHEMA = SchemaBuilder.record("r")
            .fields()
            .requiredInt("a")
            .requiredString("b")
            .endRecord();

    interface Writing {
        void write(java.nio.file.Path file, List<String> texts) throws IOException;
    }

    /** How a file is written, and the table that it belongs to. */
    record Container(String name, TableFormat format, Writing writing) {
        TableLayout table() {
            return FormatTables.table(format, Map.of(), "a int", "b string");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private ContainerFiles() {}

    static List<Container> all() {
        return List.of(
                sequence(SequenceFile.CompressionType.NONE, DefaultCodec.class),
                sequence(SequenceFile.CompressionType.RECORD, DefaultCodec.class),
                sequence(SequenceFile.CompressionType.BLOCK, DefaultCodec.class),
                sequence(SequenceFile.CompressionType.BLOCK, SnappyCodec.class),
                sequence(SequenceFile.CompressionType.BLOCK, Lz4Codec.class),
                sequence(SequenceFile.CompressionType.BLOCK, BZip2Codec.class),
                rcFile(null),
                rcFile(DefaultCodec.class),
                rcFile(SnappyCodec.class),
                avro("null"),
                avro("deflate"),
                avro("snappy"),
                avro("bzip2"),
                avro("zstandard"));
    }

    static Container sequence(SequenceFile.CompressionType type, Class<? extends CompressionCodec> codec) {
        TableFormat format = new TableFormat(
                "org.apache.hadoop.mapred.SequenceFileInputFormat",
                HIVE + "ql.io.HiveSequenceFileOutputFormat",
                HIVE + "serde2.lazy.LazySimpleSerDe",
                Map.of());
        return new Container("sequence " + type + " " + codec.getSimpleName(), format, (file, texts) -> {
            Configuration configuration = new Configuration(new FormatTables().files.configuration());
            boolean bytes = type == SequenceFile.CompressionType.RECORD;
            Class<? extends Writable> valueClass = bytes ? BytesWritable.class : Text.class;
            try (SequenceFile.Writer writer = SequenceFile.createWriter(
                    configuration,
                    SequenceFile.Writer.file(new Path(file.toUri())),
                    SequenceFile.Writer.keyClass(LongWritable.class),
                    SequenceFile.Writer.valueClass(valueClass),
                    SequenceFile.Writer.compression(type, ReflectionUtils.newInstance(codec, configuration)))) {
                for (int i = 0; i < texts.size(); i++) {
                    String row = i + "\001" + texts.get(i);
                    writer.append(
                            new LongWritable(i),
                            bytes ? new BytesWritable(row.getBytes(StandardCharsets.UTF_8)) : new Text(row));
                    if (i % 40 == 39) {
                        writer.sync();
                    }
                }
            }
        });
    }

    static Container rcFile(@org.jspecify.annotations.Nullable Class<? extends CompressionCodec> codec) {
        TableFormat format = new TableFormat(
                HIVE + "ql.io.RCFileInputFormat",
                HIVE + "ql.io.RCFileOutputFormat",
                HIVE + "serde2.columnar.ColumnarSerDe",
                Map.of());
        String name = "rcfile " + (codec == null ? "plain" : codec.getSimpleName());
        return new Container(name, format, (file, texts) -> {
            Configuration configuration = new Configuration(new FormatTables().files.configuration());
            configuration.setInt("hive.io.rcfile.column.number.conf", 2);
            configuration.setInt("hive.io.rcfile.record.buffer.size", 100);
            Path path = new Path(file.toUri());
            RCFile.Writer writer = new RCFile.Writer(
                    path.getFileSystem(configuration),
                    configuration,
                    path,
                    null,
                    codec == null ? null : ReflectionUtils.newInstance(codec, configuration));
            for (int i = 0; i < texts.size(); i++) {
                BytesRefArrayWritable row = new BytesRefArrayWritable(2);
                row.set(0, new BytesRefWritable(Integer.toString(i).getBytes(StandardCharsets.UTF_8)));
                row.set(1, new BytesRefWritable(texts.get(i).getBytes(StandardCharsets.UTF_8)));
                writer.append(row);
            }
            writer.close();
        });
    }

    static Container avro(String codec) {
        TableFormat format = new TableFormat(
                HIVE + "ql.io.avro.AvroContainerInputFormat",
                HIVE + "ql.io.avro.AvroContainerOutputFormat",
                HIVE + "serde2.avro.AvroSerDe",
                Map.of());
        return new Container("avro " + codec, format, (file, texts) -> {
            try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(SCHEMA))) {
                writer.setCodec(CodecFactory.fromString(codec));
                writer.create(SCHEMA, Files.newOutputStream(file));
                for (int i = 0; i < texts.size(); i++) {
                    writer.append(new GenericRecordBuilder(SCHEMA)
                            .set("a", i)
                            .set("b", texts.get(i))
                            .build());
                    if (i % 40 == 39) {
                        writer.sync();
                    }
                }
            }
        });
    }
}
