package io.skep.mapred;

import io.skep.reader.ExternalSplit;
import io.skep.reader.ReadException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.mapred.InputSplit;

/**
 * A part of a query's rows. Its bytes have a signed ticket, with which anybody can read these rows until it expires, so
 * they are as secret as the rows.
 */
public final class LlapSplit implements InputSplit {
    /** No split of a server is longer: a ticket has a megabyte at most. */
    private static final int MAX_BYTES = 16 << 20;

    private byte[] bytes;

    /** For Hadoop, which reads the content then. */
    public LlapSplit() {
        this(new byte[0]);
    }

    LlapSplit(ExternalSplit split) {
        this(split.encode());
    }

    private LlapSplit(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns what readers read. */
    ExternalSplit split() throws IOException {
        try {
            return ExternalSplit.decode(bytes);
        } catch (ReadException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the columns of the rows. */
    public RowSchema schema() throws IOException {
        return new RowSchema(split().arrowSchema());
    }

    /** The number of bytes that a read sends is not known. */
    @Override
    public long getLength() {
        return 0;
    }

    /** Returns the hosts of the daemons that can read the split, the best one first. */
    @Override
    public String[] getLocations() throws IOException {
        return split().locations().stream().map(URI::getHost).distinct().toArray(String[]::new);
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException("a split is damaged: it has " + length + " bytes");
        }
        byte[] read = new byte[length];
        in.readFully(read);
        bytes = read;
    }

    /** Without the ticket. */
    @Override
    public String toString() {
        return "LlapSplit[" + bytes.length + " bytes]";
    }
}
