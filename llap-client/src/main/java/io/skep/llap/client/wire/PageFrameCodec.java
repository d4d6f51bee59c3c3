package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;
import java.util.List;

/** Encodes messages of the page stream, in both directions: a sequence of frames. */
public final class PageFrameCodec {
    private static final int OPEN = 1;
    private static final int MORE = 2;
    private static final int CLOSE = 3;
    private static final int PASS = 4;
    private static final int FINISH = 5;

    private static final int PAGE = 1;
    private static final int END = 2;
    private static final int FAILED = 3;

    /** The approximate size of an error. */
    private static final int FAILURE_BYTES = 200;

    private PageFrameCodec() {}

    public static byte[] encodeReader(List<ReaderFrame> frames) {
        WireWriter out = new WireWriter();
        for (ReaderFrame frame : frames) {
            switch (frame) {
                case ReaderFrame.Open(long stream, PageRequest request, long bytes) -> {
                    out.number(OPEN).number(stream).shared(request.query(), query -> out.text(query.value()));
                    IdentityCodec.write(out, request.output());
                    out.number(request.partition()).number(bytes);
                }
                case ReaderFrame.More(long stream, long bytes) ->
                    out.number(MORE).number(stream).number(bytes);
                case ReaderFrame.Close(long stream) -> out.number(CLOSE).number(stream);
                case ReaderFrame.Pass(QueryId query, TaskAttemptId output) -> {
                    out.number(PASS).text(query.value());
                    IdentityCodec.write(out, output);
                }
                case ReaderFrame.Finish() -> out.number(FINISH);
            }
        }
        return out.toByteArray();
    }

    public static List<ReaderFrame> decodeReader(byte[] message) {
        return WireReader.readAll(message, PageFrameCodec::readReader);
    }

    private static ReaderFrame readReader(WireReader in) {
        int tag = in.count();
        return switch (tag) {
            case OPEN -> new ReaderFrame.Open(in.number(), request(in), in.number());
            case MORE -> new ReaderFrame.More(in.number(), in.number());
            case CLOSE -> new ReaderFrame.Close(in.number());
            case PASS -> new ReaderFrame.Pass(new QueryId(in.text()), IdentityCodec.readOutput(in));
            case FINISH -> new ReaderFrame.Finish();
            default -> throw WireReader.damaged("there is no frame " + tag);
        };
    }

    private static PageRequest request(WireReader in) {
        QueryId query = in.shared(QueryId.class, () -> new QueryId(in.text()));
        return new PageRequest(query, IdentityCodec.readOutput(in), in.count());
    }

    public static byte[] encodePages(List<PageFrame> frames) {
        WireWriter out = new WireWriter(
                Math.toIntExact(frames.stream().mapToLong(PageFrameCodec::bytes).sum()));
        for (PageFrame frame : frames) {
            switch (frame) {
                case PageFrame.Page(long stream, byte[] content) ->
                    out.number(PAGE).number(stream).bytes(content);
                case PageFrame.End(long stream) -> out.number(END).number(stream);
                case PageFrame.Failed failed -> {
                    out.number(FAILED).number(failed.stream());
                    FailureCodec.write(out, failed.failure());
                }
            }
        }
        return out.toByteArray();
    }

    /** Returns how many bytes a frame uses in a message. The result is approximate for an error. */
    public static long bytes(PageFrame frame) {
        int head = 1 + WireWriter.bytesOf(frame.stream());
        return switch (frame) {
            case PageFrame.Page(long _, byte[] content) ->
                (long) head + WireWriter.bytesOf(content.length) + content.length;
            case PageFrame.End _ -> head;
            case PageFrame.Failed _ -> head + FAILURE_BYTES;
        };
    }

    public static List<PageFrame> decodePages(byte[] message) {
        return WireReader.readAll(message, PageFrameCodec::readPage);
    }

    private static PageFrame readPage(WireReader in) {
        int tag = in.count();
        return switch (tag) {
            case PAGE -> new PageFrame.Page(in.number(), in.bytes());
            case END -> new PageFrame.End(in.number());
            case FAILED -> new PageFrame.Failed(in.number(), FailureCodec.read(in));
            default -> throw WireReader.damaged("there is no frame " + tag);
        };
    }
}
