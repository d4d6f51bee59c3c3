package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.util.List;

/** Encodes messages of the control stream: a sequence of frames. */
public final class FrameCodec {
    private FrameCodec() {}

    public static byte[] encodeClient(List<ClientFrame> frames) {
        DaemonProto.ClientMessage.Builder message = DaemonProto.ClientMessage.newBuilder();
        SubmissionWriter submissions = new SubmissionWriter(message);
        frames.forEach(frame -> message.addFrames(write(frame, submissions)));
        return message.build().toByteArray();
    }

    private static DaemonProto.ClientFrame write(ClientFrame frame, SubmissionWriter submissions) {
        DaemonProto.ClientFrame.Builder out = DaemonProto.ClientFrame.newBuilder();
        switch (frame) {
            case ClientFrame.Register(QueryId query, EncodedPlan plan, List<PlanFile> files) ->
                out.setRegister(write(query, plan, files));
            case ClientFrame.Submit(long call, TaskSubmission task) ->
                out.setCall(call).setSubmit(submissions.write(task));
            case ClientFrame.Cancel(long call, QueryId query, TaskAttemptId attempt, String reason) ->
                out.setCall(call).setCancel(write(query, attempt, reason));
            case ClientFrame.End(long call, QueryId query, String reason) ->
                out.setCall(call).setEnd(write(query, reason));
            case ClientFrame.Farewell() -> out.setFarewell(true);
            case ClientFrame.Leave() -> out.setLeave(true);
            case ClientFrame.Settle(long call) -> out.setCall(call).setSettle(true);
            case ClientFrame.Beat() -> out.setBeat(true);
        }
        return out.build();
    }

    private static DaemonProto.Register write(QueryId query, EncodedPlan plan, List<PlanFile> files) {
        return DaemonProto.Register.newBuilder()
                .setQuery(query.value())
                .setPlan(plan.name())
                .setGraph(Messages.wrap(plan.graph().bytes()))
                .addAllFiles(plan.files())
                .addAllSentFiles(Messages.convert(files, FrameCodec::write))
                .build();
    }

    private static DaemonProto.PlanFile write(PlanFile file) {
        return DaemonProto.PlanFile.newBuilder()
                .setLocation(file.location())
                .setHash(file.hash())
                .build();
    }

    private static DaemonProto.Cancel write(QueryId query, TaskAttemptId attempt, String reason) {
        return DaemonProto.Cancel.newBuilder()
                .setQuery(query.value())
                .setAttempt(IdentityCodec.write(attempt))
                .setReason(reason)
                .build();
    }

    private static DaemonProto.End write(QueryId query, String reason) {
        return DaemonProto.End.newBuilder()
                .setQuery(query.value())
                .setReason(reason)
                .build();
    }

    public static List<ClientFrame> decodeClient(byte[] message) {
        return Messages.read(DaemonProto.ClientMessage.parser(), message, parsed -> {
            SubmissionReader submissions = new SubmissionReader(parsed);
            return Messages.convert(parsed.getFramesList(), frame -> read(frame, submissions));
        });
    }

    private static ClientFrame read(DaemonProto.ClientFrame frame, SubmissionReader submissions) {
        return switch (frame.getKindCase()) {
            case REGISTER -> read(frame.getRegister());
            case SUBMIT -> new ClientFrame.Submit(frame.getCall(), submissions.read(frame.getSubmit()));
            case CANCEL -> read(frame.getCall(), frame.getCancel());
            case END -> read(frame.getCall(), frame.getEnd());
            case FAREWELL -> new ClientFrame.Farewell();
            case LEAVE -> new ClientFrame.Leave();
            case SETTLE -> new ClientFrame.Settle(frame.getCall());
            case BEAT -> new ClientFrame.Beat();
            case KIND_NOT_SET -> throw Messages.unknownFrame();
        };
    }

    private static ClientFrame read(DaemonProto.Register register) {
        EncodedPlan plan = new EncodedPlan(
                register.getPlan(), LazyEncoded.ofBytes(register.getGraph().toByteArray()), register.getFilesList());
        return new ClientFrame.Register(
                new QueryId(register.getQuery()),
                plan,
                Messages.convert(
                        register.getSentFilesList(), file -> new PlanFile(file.getLocation(), file.getHash())));
    }

    private static ClientFrame read(long call, DaemonProto.Cancel cancel) {
        return new ClientFrame.Cancel(
                call, new QueryId(cancel.getQuery()), IdentityCodec.read(cancel.getAttempt()), cancel.getReason());
    }

    private static ClientFrame read(long call, DaemonProto.End end) {
        return new ClientFrame.End(call, new QueryId(end.getQuery()), end.getReason());
    }

    public static byte[] encodeDaemon(List<DaemonFrame> frames) {
        DaemonProto.DaemonMessage.Builder message = DaemonProto.DaemonMessage.newBuilder();
        frames.forEach(frame -> message.addFrames(write(frame)));
        return message.build().toByteArray();
    }

    private static DaemonProto.DaemonFrame write(DaemonFrame frame) {
        DaemonProto.DaemonFrame.Builder out = DaemonProto.DaemonFrame.newBuilder();
        switch (frame) {
            case DaemonFrame.Finished(long call, TaskStats stats) ->
                out.setCall(call).setFinished(StatsCodec.write(stats));
            case DaemonFrame.Failed(long call, SkepException failure) ->
                out.setCall(call).setFailed(FailureCodec.write(failure));
            case DaemonFrame.Done(long call) -> out.setCall(call).setDone(true);
            case DaemonFrame.Leaving() -> out.setLeaving(true);
            case DaemonFrame.Want(String hash) -> out.setWant(hash);
            case DaemonFrame.Status(DaemonStatus status) -> out.setStatus(StatsCodec.write(status));
        }
        return out.build();
    }

    public static List<DaemonFrame> decodeDaemon(byte[] message) {
        return Messages.read(
                DaemonProto.DaemonMessage.parser(),
                message,
                parsed -> Messages.convert(parsed.getFramesList(), FrameCodec::read));
    }

    private static DaemonFrame read(DaemonProto.DaemonFrame frame) {
        return switch (frame.getKindCase()) {
            case FINISHED -> new DaemonFrame.Finished(frame.getCall(), StatsCodec.read(frame.getFinished()));
            case FAILED -> new DaemonFrame.Failed(frame.getCall(), FailureCodec.read(frame.getFailed()));
            case DONE -> new DaemonFrame.Done(frame.getCall());
            case LEAVING -> new DaemonFrame.Leaving();
            case WANT -> new DaemonFrame.Want(frame.getWant());
            case STATUS -> new DaemonFrame.Status(StatsCodec.read(frame.getStatus()));
            case KIND_NOT_SET -> throw Messages.unknownFrame();
        };
    }
}
