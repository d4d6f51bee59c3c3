package io.skep.storage.serde.container;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Text;

/**
 * What the header of an RCFile says of its row groups. The layout follows the grammar in the documentation of Hive's
 * class RCFile. Files with equal headers may have their row groups in one file.
 *
 * @param codec the class of the codec; empty when the row groups are not compressed
 * @param columns the number of columns, as the file states it
 */
record RcFileHeader(String codec, String columns) {
    private static final String COLUMNS = "hive.io.rcfile.column.number";
    private static final byte[] MAGIC = {'R', 'C', 'F'};
    private static final byte[] OLD_MAGIC = {'S', 'E', 'Q'};
    private static final byte OLD_VERSION = 6;
    private static final byte VERSION = 1;

    /** Reads the header and the mark at its end. */
    static RcFileHeader read(SyncedInput groups) throws IOException {
        BoundedInput in = groups.bytes();
        byte[] magic = in.readBytes(MAGIC.length, "head");
        boolean old = Arrays.equals(magic, OLD_MAGIC);
        if (!old && !Arrays.equals(magic, MAGIC) || in.readByte() != (old ? OLD_VERSION : VERSION)) {
            throw new IOException("it is no RCFile of a known version");
        }
        if (old) {
            in.readText("class of keys");
            in.readText("class of values");
        }
        boolean compressed = in.readBoolean();
        if (old && in.readBoolean()) {
            throw new IOException("it is a SequenceFile of blocks, not an RCFile");
        }
        String codec = compressed ? in.readText("codec") : "";
        if (compressed && codec.isEmpty()) {
            throw new IOException("its codec has no name");
        }
        RcFileHeader header = new RcFileHeader(codec, groups.metadata(COLUMNS));
        groups.readMark();
        return header;
    }

    boolean isCompressed() {
        return !codec.isEmpty();
    }

    /** Writes the header of a new file, up to its mark. */
    void write(DataOutputStream out) throws IOException {
        out.write(MAGIC);
        out.writeByte(VERSION);
        out.writeBoolean(isCompressed());
        if (isCompressed()) {
            Text.writeString(out, codec);
        }
        out.writeInt(1);
        Text.writeString(out, COLUMNS);
        Text.writeString(out, columns);
    }
}
