package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;
import java.util.List;

/** Encodes what readers of pages send: a sequence of frames. */
public final class ReaderFrameCodec {
    private ReaderFrameCodec() {}

    public static byte[] encode(List<ReaderFrame> frames) {
        DaemonProto.ReaderMessage.Builder message = DaemonProto.ReaderMessage.newBuilder();
        SharedParts<QueryId> queries = new SharedParts<>(query -> message.addQueries(query.value()));
        frames.forEach(frame -> message.addFrames(write(frame, queries)));
        return message.build().toByteArray();
    }

    private static DaemonProto.ReaderFrame write(ReaderFrame frame, SharedParts<QueryId> queries) {
        DaemonProto.ReaderFrame.Builder out = DaemonProto.ReaderFrame.newBuilder();
        switch (frame) {
            case ReaderFrame.Open(long stream, PageRequest request, long bytes) ->
                out.setStream(stream).setOpen(write(request, queries.index(request.query()), bytes));
            case ReaderFrame.More(long stream, long bytes) ->
                out.setStream(stream).setMore(bytes);
            case ReaderFrame.Close(long stream) -> out.setStream(stream).setClose(true);
            case ReaderFrame.Pass(QueryId query, TaskAttemptId output) ->
                out.setPass(write(queries.index(query), output));
            case ReaderFrame.Finish() -> out.setFinish(true);
        }
        return out.build();
    }

    private static DaemonProto.Open write(PageRequest request, int query, long bytes) {
        return DaemonProto.Open.newBuilder()
                .setQuery(query)
                .setFragment(request.output().fragment())
                .setTask(request.output().task())
                .setAttempt(request.output().attempt())
                .setPartition(request.partition())
                .setBytes(bytes)
                .build();
    }

    private static DaemonProto.Pass write(int query, TaskAttemptId output) {
        return DaemonProto.Pass.newBuilder()
                .setQuery(query)
                .setOutput(IdentityCodec.write(output))
                .build();
    }

    public static List<ReaderFrame> decode(byte[] message) {
        return Messages.read(DaemonProto.ReaderMessage.parser(), message, parsed -> {
            List<QueryId> queries = Messages.convert(parsed.getQueriesList(), QueryId::new);
            return Messages.convert(parsed.getFramesList(), frame -> read(frame, queries));
        });
    }

    private static ReaderFrame read(DaemonProto.ReaderFrame frame, List<QueryId> queries) {
        return switch (frame.getKindCase()) {
            case OPEN ->
                new ReaderFrame.Open(
                        frame.getStream(),
                        request(frame.getOpen(), queries),
                        frame.getOpen().getBytes());
            case MORE -> new ReaderFrame.More(frame.getStream(), frame.getMore());
            case CLOSE -> new ReaderFrame.Close(frame.getStream());
            case PASS ->
                new ReaderFrame.Pass(
                        Messages.part(queries, frame.getPass().getQuery()),
                        IdentityCodec.read(frame.getPass().getOutput()));
            case FINISH -> new ReaderFrame.Finish();
            case KIND_NOT_SET -> throw Messages.unknownFrame();
        };
    }

    private static PageRequest request(DaemonProto.Open open, List<QueryId> queries) {
        return new PageRequest(
                Messages.part(queries, open.getQuery()),
                IdentityCodec.attempt(open.getFragment(), open.getTask(), open.getAttempt()),
                Messages.count(open.getPartition()));
    }
}
