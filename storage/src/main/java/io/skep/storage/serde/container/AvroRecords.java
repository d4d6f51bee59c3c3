package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import java.io.IOException;
import java.rmi.server.UID;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.Decoder;
import org.apache.hadoop.hive.serde2.avro.AvroGenericRecordWritable;
import org.apache.hadoop.hive.serde2.avro.AvroSerDe;
import org.apache.hadoop.hive.serde2.avro.AvroSerdeUtils;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.jspecify.annotations.Nullable;

/**
 * The records of an Avro file, in the schema that the SerDe has set in the job, or in the file's schema when there is
 * none. Owned by one thread.
 */
final class AvroRecords implements RecordReader<NullWritable, AvroGenericRecordWritable> {
    /**
     * The maximum number of a block's records that may use no bytes, such as those of a schema without fields. Larger
     * numbers are checked against the block's bytes.
     */
    private static final int FREE_RECORDS = 1 << 20;

    private final AvroContainer container;
    private final Schema schema;
    private final BlockReader reader = new BlockReader();
    /** All records of a file share this id, so the SerDe compares their schema with its own only once. */
    private final UID id = new UID();

    private AvroDecoder block = new AvroDecoder(new byte[0]);
    private long left;

    /** @param file is closed together with this object */
    AvroRecords(FileInput file, String path, RecordLimit limit, JobConf job) throws IOException {
        this.container = new AvroContainer(file, path, limit);
        String text = container
                .metadata("avro.schema")
                .orElseThrow(() -> new IOException("the head of the Avro file has no schema"));
        try {
            this.schema = new Schema.Parser().parse(text);
            reader.setSchema(schema);
            String expected = job.get(AvroSerdeUtils.AvroTableProperties.AVRO_SERDE_SCHEMA.getPropName(), "");
            if (!expected.isBlank()) {
                reader.setExpected(AvroSerdeUtils.getSchemaFor(expected));
            }
        } catch (AvroRuntimeException | StackOverflowError e) {
            throw new IOException("the schema of the Avro file cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public NullWritable createKey() {
        return NullWritable.get();
    }

    @Override
    public AvroGenericRecordWritable createValue() {
        try {
            ZoneId zone = container
                    .metadata(AvroSerDe.WRITER_TIME_ZONE)
                    .map(ZoneId::of)
                    .orElse(null);
            return new AvroGenericRecordWritable(
                    zone, flag(AvroSerDe.WRITER_PROLEPTIC), flag(AvroSerDe.WRITER_ZONE_CONVERSION_LEGACY));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("the writer's time zone in the head of the Avro file is unknown", e);
        }
    }

    private @Nullable Boolean flag(String name) {
        return container.metadata(name).map(Boolean::valueOf).orElse(null);
    }

    @Override
    public boolean next(NullWritable key, AvroGenericRecordWritable value) throws IOException {
        while (left == 0) {
            if (!block.isEnd()) {
                throw new IOException("a block has more bytes than its records");
            }
            Optional<AvroContainer.Block> next = container.next();
            if (next.isEmpty()) {
                return false;
            }
            begin(next.get());
        }
        left--;
        try {
            value.setRecord(reader.read(null, block));
        } catch (StackOverflowError e) {
            throw new IOException("a record nests too deeply", e);
        }
        value.setRecordReaderID(id);
        value.setFileSchema(schema);
        return true;
    }

    private void begin(AvroContainer.Block next) throws IOException {
        if (next.records() > Math.max(next.bytes().length, FREE_RECORDS)) {
            throw new IOException("block of " + next.records() + " records in " + next.bytes().length + " bytes");
        }
        left = next.records();
        block = new AvroDecoder(next.bytes());
    }

    @Override
    public long getPos() {
        return container.position();
    }

    @Override
    public float getProgress() {
        return container.progress();
    }

    @Override
    public void close() {
        container.close();
    }

    /** Allocates no more memory for lists, maps and fixed values than the block's bytes can fill. */
    private final class BlockReader extends GenericDatumReader<GenericRecord> {
        private static final int FIRST_ITEMS = 16;

        @Override
        protected Object newArray(@Nullable Object old, int size, Schema array) {
            return super.newArray(old, Math.min(size, FIRST_ITEMS), array);
        }

        @Override
        protected Object newMap(@Nullable Object old, int size) {
            return super.newMap(old, Math.min(size, FIRST_ITEMS));
        }

        @Override
        protected Object readFixed(@Nullable Object old, Schema expected, Decoder in) throws IOException {
            block.length(expected.getFixedSize());
            return super.readFixed(old, expected, in);
        }
    }
}
