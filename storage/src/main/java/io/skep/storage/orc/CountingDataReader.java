package io.skep.storage.orc;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.orc.DataReader;
import org.apache.orc.OrcProto;
import org.apache.orc.StripeInformation;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.apache.orc.impl.InStream;

/** Reads a file's bytes and counts them; opens the file when bytes are first wanted, and reads no stripe footer twice. */
final class CountingDataReader implements DataReader {
    private final DataReader reader;
    private final OrcLayout layout;
    private boolean opened;

    CountingDataReader(DataReader reader, OrcLayout layout) {
        this.reader = reader;
        this.layout = layout;
    }

    @Override
    public void open() throws IOException {
        if (!opened) {
            reader.open();
            opened = true;
        }
    }

    @Override
    public OrcProto.StripeFooter readStripeFooter(StripeInformation stripe) throws IOException {
        return layout.footer(stripe, this);
    }

    /** Reads a footer from the file. */
    OrcProto.StripeFooter readFooter(StripeInformation stripe) throws IOException {
        open();
        return reader.readStripeFooter(stripe);
    }

    @Override
    public BufferChunkList readFileData(BufferChunkList range, boolean direct) throws IOException {
        long bytes = 0;
        for (BufferChunk chunk = range.get(); chunk != null; chunk = (BufferChunk) chunk.next) {
            bytes += chunk.getLength();
        }
        layout.bytesRead.addAndGet(bytes);
        open();
        return reader.readFileData(range, direct);
    }

    @Override
    public boolean isTrackingDiskRanges() {
        return reader.isTrackingDiskRanges();
    }

    @Override
    @Deprecated
    public void releaseBuffer(ByteBuffer buffer) {
        reader.releaseBuffer(buffer);
    }

    @Override
    public void releaseAllBuffers() {
        reader.releaseAllBuffers();
    }

    @Override
    @SuppressWarnings("MissingSuperCall")
    public DataReader clone() {
        return new CountingDataReader(reader.clone(), layout);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    @Override
    public InStream.StreamOptions getCompressionOptions() {
        return reader.getCompressionOptions();
    }
}
