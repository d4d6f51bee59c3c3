package io.skep.storage.serde.container;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * The values of a SequenceFile: plain, record-compressed or block-compressed. Keys are skipped and their class is not
 * loaded. For the layout see <a
 * href="https://hadoop.apache.org/docs/stable/api/org/apache/hadoop/io/SequenceFile.html">SequenceFile</a>. Versions
 * before 4 (2008) are rejected. Owned by one thread.
 */
final class SequenceRecords implements RecordReader<NullWritable, Writable> {
    private static final int OLDEST_VERSION = 4;
    private static final int VERSION_WITH_CODEC = 5;
    private static final int VERSION_WITH_METADATA = 6;
    private static final byte[] MAGIC = {'S', 'E', 'Q'};
    private static final byte[] NONE = new byte[0];

    private final SyncedInput records;
    private final BoundedInput in;
    private final JobConf job;
    private final Class<? extends Writable> valueClass;
    private final boolean blocks;
    private final @Nullable Unpacking unpacking;
    private BoundedInput blockLengths = BoundedInput.of(NONE);
    private BoundedInput block = BoundedInput.of(NONE);
    private long blockValues;

    /**
     * @param allowed the class of values that the SerDe accepts in addition to texts and bytes
     * @param file is closed together with this object
     */
    SequenceRecords(FileInput file, String path, Class<?> allowed, RecordLimit limit, JobConf job) throws IOException {
        this.in = BoundedInput.of(file);
        this.records = new SyncedInput(in);
        this.job = job;
        if (!Arrays.equals(in.readBytes(MAGIC.length, "head"), MAGIC)) {
            throw new IOException("it is no SequenceFile");
        }
        byte version = in.readByte();
        if (version < OLDEST_VERSION || version > VERSION_WITH_METADATA) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, path + " is a SequenceFile of version " + version);
        }
        in.readText("class of keys");
        this.valueClass = valueClass(in.readText("class of values"), allowed, path);
        boolean compressed = in.readBoolean();
        this.blocks = in.readBoolean() && compressed;
        String codec = version >= VERSION_WITH_CODEC && compressed
                ? in.readText("codec")
                : "org.apache.hadoop.io.compress.DefaultCodec";
        if (version >= VERSION_WITH_METADATA) {
            records.metadata("");
        }
        records.readMark();
        this.unpacking = compressed ? new Unpacking(Codecs.named(codec, job), limit, path) : null;
    }

    /** A file names a class, but must not decide which classes are instantiated. */
    private static Class<? extends Writable> valueClass(String name, Class<?> allowed, String path) {
        if (name.equals(Text.class.getName())) {
            return Text.class;
        }
        if (name.equals(BytesWritable.class.getName())) {
            return BytesWritable.class;
        }
        if (name.equals(allowed.getName()) && Writable.class.isAssignableFrom(allowed)) {
            return allowed.asSubclass(Writable.class);
        }
        throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "values of the class " + name.substring(0, Math.min(100, name.length())) + " in " + path)
                .withHint(
                        "values are Text, BytesWritable, or " + allowed.getName() + ", which the table's SerDe writes");
    }

    @Override
    public NullWritable createKey() {
        return NullWritable.get();
    }

    @Override
    public Writable createValue() {
        return ReflectionUtils.newInstance(valueClass, job);
    }

    @Override
    public boolean next(NullWritable key, Writable value) throws IOException {
        return blocks ? nextOfBlock(value) : nextRecord(value);
    }

    private boolean nextRecord(Writable value) throws IOException {
        int length = records.nextLength();
        if (length < 0) {
            return false;
        }
        int keyLength = in.readInt();
        if (keyLength < 0 || keyLength > length) {
            throw new IOException("key of " + keyLength + " bytes in a record of " + length);
        }
        in.skip(keyLength, "key");
        byte[] bytes = in.readBytes(length - keyLength, "value");
        decode(unpacking == null ? bytes : unpacking.unpack(bytes, "value"), value);
        return true;
    }

    private boolean nextOfBlock(Writable value) throws IOException {
        while (blockValues == 0) {
            if (!nextBlock()) {
                return false;
            }
        }
        blockValues--;
        decode(block.readBytes(blockLengths.readVLong(), "value"), value);
        return true;
    }

    private boolean nextBlock() throws IOException {
        Unpacking codec = unpacking;
        if (codec == null || !records.nextBlock()) {
            return false;
        }
        long count = in.readVLong();
        in.skip(in.readVLong(), "lengths of keys");
        in.skip(in.readVLong(), "keys");
        byte[] lengths = codec.unpack(in.readBytes(in.readVLong(), "lengths of values"), "lengths of values");
        blockLengths = BoundedInput.of(lengths);
        block = BoundedInput.of(codec.unpack(in.readBytes(in.readVLong(), "values"), "values of a block"));
        blockValues = blockLengths.count(count, "values of a block");
        return true;
    }

    private static void decode(byte[] bytes, Writable value) throws IOException {
        BoundedInput one = BoundedInput.of(bytes);
        switch (value) {
            case Text text -> {
                int length = one.readCount("text");
                text.set(bytes, (int) one.position(), rest(one, length));
            }
            case BytesWritable raw -> {
                int length = one.readInt();
                raw.set(bytes, (int) one.position(), rest(one, length));
            }
            default -> value.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
        }
    }

    private static int rest(BoundedInput value, int length) throws IOException {
        if (length != value.left()) {
            throw new IOException("value of " + length + " bytes in " + value.left());
        }
        return length;
    }

    @Override
    public long getPos() {
        return in.position();
    }

    @Override
    public float getProgress() {
        return in.progress();
    }

    @Override
    public void close() {
        if (unpacking != null) {
            unpacking.close();
        }
        in.close();
    }
}
