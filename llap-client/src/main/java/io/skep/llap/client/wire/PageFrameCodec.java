package io.skep.llap.client.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.skep.common.error.SkepException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes messages with pages: a sequence of frames. A frame is a tag and the stream's number, followed by the bytes of
 * a page or the message Failure. Numbers have variable length, and bytes follow their length. A page is copied once on
 * either side: into the message, and out of it.
 */
public final class PageFrameCodec {
    private static final int PAGE = 1;
    private static final int END = 2;
    private static final int FAILED = 3;

    private PageFrameCodec() {}

    public static byte[] encodePages(List<PageFrame> frames) {
        byte[] message = new byte[Math.toIntExact(bytes(frames))];
        CodedOutputStream out = CodedOutputStream.newInstance(message);
        try {
            for (PageFrame frame : frames) {
                write(out, frame);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array of the frames' size is too small for them", e);
        }
        out.checkNoSpaceLeft();
        return message;
    }

    private static void write(CodedOutputStream out, PageFrame frame) throws IOException {
        switch (frame) {
            case PageFrame.Page(long stream, byte[] content) -> {
                out.writeUInt32NoTag(PAGE);
                out.writeUInt64NoTag(stream);
                out.writeByteArrayNoTag(content);
            }
            case PageFrame.End(long stream) -> {
                out.writeUInt32NoTag(END);
                out.writeUInt64NoTag(stream);
            }
            case PageFrame.Failed(long stream, SkepException failure) -> {
                out.writeUInt32NoTag(FAILED);
                out.writeUInt64NoTag(stream);
                out.writeMessageNoTag(FailureCodec.write(failure));
            }
        }
    }

    private static long bytes(List<PageFrame> frames) {
        long bytes = 0;
        for (PageFrame frame : frames) {
            bytes += bytes(frame);
        }
        return bytes;
    }

    /** Returns how many bytes a frame uses in a message. */
    public static long bytes(PageFrame frame) {
        int head = CodedOutputStream.computeUInt32SizeNoTag(PAGE)
                + CodedOutputStream.computeUInt64SizeNoTag(frame.stream());
        return switch (frame) {
            case PageFrame.Page(long _, byte[] content) ->
                (long) head + CodedOutputStream.computeUInt32SizeNoTag(content.length) + content.length;
            case PageFrame.End _ -> head;
            case PageFrame.Failed(long _, SkepException failure) ->
                head + CodedOutputStream.computeMessageSizeNoTag(FailureCodec.write(failure));
        };
    }

    public static List<PageFrame> decodePages(byte[] message) {
        return Messages.read(message, in -> {
            List<PageFrame> frames = new ArrayList<>();
            while (!in.isAtEnd()) {
                frames.add(readPage(in));
            }
            return frames;
        });
    }

    private static PageFrame readPage(CodedInputStream in) throws IOException {
        int tag = in.readUInt32();
        return switch (tag) {
            case PAGE -> new PageFrame.Page(in.readUInt64(), in.readByteArray());
            case END -> new PageFrame.End(in.readUInt64());
            case FAILED -> new PageFrame.Failed(in.readUInt64(), FailureCodec.decode(in.readByteArray()));
            default -> throw Messages.unknownFrame();
        };
    }
}
