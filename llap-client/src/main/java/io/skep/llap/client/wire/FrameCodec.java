package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.PlanFile;
import java.util.List;

/** Encodes messages of the control stream: a sequence of frames. */
public final class FrameCodec {
    private static final int REGISTER = 1;
    private static final int SUBMIT = 2;
    private static final int CANCEL = 3;
    private static final int END = 4;
    private static final int BEAT = 5;
    private static final int FAREWELL = 6;
    private static final int SETTLE = 7;
    private static final int LEAVE = 8;

    private static final int FINISHED = 1;
    private static final int FAILED = 2;
    private static final int DONE = 3;
    private static final int STATUS = 4;
    private static final int LEAVING = 5;
    private static final int WANT = 6;

    private FrameCodec() {}

    public static byte[] encodeClient(List<ClientFrame> frames) {
        WireWriter out = new WireWriter();
        frames.forEach(frame -> write(out, frame));
        return out.toByteArray();
    }

    private static void write(WireWriter out, ClientFrame frame) {
        switch (frame) {
            case ClientFrame.Register(QueryId query, EncodedPlan plan, List<PlanFile> files) ->
                out.number(REGISTER)
                        .text(query.value())
                        .text(plan.name())
                        .bytes(plan.graph().bytes())
                        .all(plan.files(), out::text)
                        .all(files, file -> out.text(file.location()).text(file.hash()));
            case ClientFrame.Submit submit -> {
                out.number(SUBMIT).number(submit.call());
                SubmissionCodec.write(out, submit.submission());
            }
            case ClientFrame.Cancel cancel -> {
                out.number(CANCEL).number(cancel.call()).text(cancel.query().value());
                IdentityCodec.write(out, cancel.attempt());
                out.text(cancel.reason());
            }
            case ClientFrame.End(long call, QueryId query, String reason) ->
                out.number(END).number(call).text(query.value()).text(reason);
            case ClientFrame.Farewell() -> out.number(FAREWELL);
            case ClientFrame.Leave() -> out.number(LEAVE);
            case ClientFrame.Settle(long call) -> out.number(SETTLE).number(call);
            case ClientFrame.Beat() -> out.number(BEAT);
        }
    }

    public static List<ClientFrame> decodeClient(byte[] message) {
        return WireReader.readAll(message, FrameCodec::readClient);
    }

    private static ClientFrame readClient(WireReader in) {
        int tag = in.count();
        return switch (tag) {
            case REGISTER ->
                new ClientFrame.Register(
                        new QueryId(in.text()),
                        new EncodedPlan(in.text(), LazyEncoded.ofBytes(in.bytes()), in.all(in::text)),
                        in.all(() -> new PlanFile(in.text(), in.text())));
            case SUBMIT -> new ClientFrame.Submit(in.number(), SubmissionCodec.read(in));
            case CANCEL ->
                new ClientFrame.Cancel(in.number(), new QueryId(in.text()), IdentityCodec.readOutput(in), in.text());
            case END -> new ClientFrame.End(in.number(), new QueryId(in.text()), in.text());
            case FAREWELL -> new ClientFrame.Farewell();
            case LEAVE -> new ClientFrame.Leave();
            case BEAT -> new ClientFrame.Beat();
            case SETTLE -> new ClientFrame.Settle(in.number());
            default -> throw WireReader.damaged("there is no frame " + tag);
        };
    }

    public static byte[] encodeDaemon(List<DaemonFrame> frames) {
        WireWriter out = new WireWriter();
        frames.forEach(frame -> write(out, frame));
        return out.toByteArray();
    }

    private static void write(WireWriter out, DaemonFrame frame) {
        switch (frame) {
            case DaemonFrame.Finished finished -> {
                out.number(FINISHED).number(finished.call());
                StatsCodec.write(out, finished.stats());
            }
            case DaemonFrame.Failed failed -> {
                out.number(FAILED).number(failed.call());
                FailureCodec.write(out, failed.failure());
            }
            case DaemonFrame.Done(long call) -> out.number(DONE).number(call);
            case DaemonFrame.Leaving() -> out.number(LEAVING);
            case DaemonFrame.Want(String hash) -> out.number(WANT).text(hash);
            case DaemonFrame.Status status -> {
                out.number(STATUS);
                StatsCodec.write(out, status.status());
            }
        }
    }

    public static List<DaemonFrame> decodeDaemon(byte[] message) {
        return WireReader.readAll(message, FrameCodec::readDaemon);
    }

    private static DaemonFrame readDaemon(WireReader in) {
        int tag = in.count();
        return switch (tag) {
            case FINISHED -> new DaemonFrame.Finished(in.number(), StatsCodec.readFigures(in));
            case FAILED -> new DaemonFrame.Failed(in.number(), FailureCodec.read(in));
            case DONE -> new DaemonFrame.Done(in.number());
            case LEAVING -> new DaemonFrame.Leaving();
            case WANT -> new DaemonFrame.Want(in.text());
            case STATUS -> new DaemonFrame.Status(StatsCodec.readStatus(in));
            default -> throw WireReader.damaged("there is no frame " + tag);
        };
    }
}
