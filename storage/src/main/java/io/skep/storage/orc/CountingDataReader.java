package io.skep.storage.orc;

import io.skep.common.memory.HeldBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.orc.CompressionCodec;
import org.apache.orc.DataReader;
import org.apache.orc.OrcProto;
import org.apache.orc.StripeInformation;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.apache.orc.impl.InStream;
import org.jspecify.annotations.Nullable;

/** Reads a file's bytes and counts them. Opens the file on the first read, and reads no stripe footer twice. */
final class CountingDataReader implements DataReader {
    private final DataReader reader;
    private final OrcLayout layout;
    private final @Nullable SharedBlocks blocks;
    private final HeldBuffers buffers;
    private boolean opened;

    /** @param buffers count the bytes that were read and decompressed since the last {@link #begin} */
    CountingDataReader(DataReader reader, OrcLayout layout, HeldBuffers buffers) {
        this.reader = reader;
        this.layout = layout;
        this.buffers = buffers;
        CompressionCodec codec = reader.getCompressionOptions().getCodec();
        this.blocks = codec == null ? null : new SharedBlocks(codec, layout.blocks(), layout.file(), buffers);
    }

    /**
     * Prepares to read another part of a stripe.
     *
     * @param leaving whether to store decompressed blocks for other readers
     */
    void begin(boolean leaving) {
        buffers.close();
        if (blocks != null) {
            blocks.clear();
            blocks.leaving(leaving);
        }
    }

    HeldBuffers buffers() {
        return buffers;
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
        buffers.add(bytes);
        layout.bytesRead.addAndGet(bytes);
        open();
        BufferChunkList read = reader.readFileData(range, direct);
        if (blocks != null) {
            blocks.add(read);
        }
        return read;
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
        return new CountingDataReader(reader.clone(), layout, buffers);
    }

    @Override
    public void close() throws IOException {
        buffers.close();
        reader.close();
    }

    @Override
    public InStream.StreamOptions getCompressionOptions() {
        InStream.StreamOptions options = reader.getCompressionOptions();
        return blocks == null ? options : new InStream.StreamOptions(options).withCodec(blocks);
    }
}
