package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.TaskAttemptId;
import java.util.Optional;

/** Encodes the identities of daemons and outputs. */
public final class IdentityCodec {
    private IdentityCodec() {}

    public static byte[] encode(DaemonIdentity daemon) {
        return write(daemon).toByteArray();
    }

    /** @throws SkepException when the bytes are not an identity */
    public static DaemonIdentity decode(byte[] bytes) {
        return Messages.read(DaemonProto.DaemonIdentity.parser(), bytes, IdentityCodec::read);
    }

    static DaemonProto.DaemonIdentity write(DaemonIdentity daemon) {
        DaemonProto.DaemonIdentity.Builder out = DaemonProto.DaemonIdentity.newBuilder()
                .setSlot(daemon.slot())
                .setIncarnation(daemon.incarnation())
                .setExecutors(daemon.executors());
        daemon.endpoint().ifPresent(endpoint -> out.setEndpoint(write(endpoint)));
        return out.build();
    }

    private static DaemonProto.Endpoint write(DaemonEndpoint endpoint) {
        return DaemonProto.Endpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    static DaemonIdentity read(DaemonProto.DaemonIdentity daemon) {
        Optional<DaemonEndpoint> endpoint =
                daemon.hasEndpoint() ? Optional.of(read(daemon.getEndpoint())) : Optional.empty();
        return new DaemonIdentity(
                daemon.getSlot(), daemon.getIncarnation(), Messages.count(daemon.getExecutors()), endpoint);
    }

    private static DaemonEndpoint read(DaemonProto.Endpoint endpoint) {
        return new DaemonEndpoint(endpoint.getHost(), Messages.count(endpoint.getPort()));
    }

    static DaemonProto.TaskAttemptId write(TaskAttemptId attempt) {
        return DaemonProto.TaskAttemptId.newBuilder()
                .setFragment(attempt.fragment())
                .setTask(attempt.task())
                .setAttempt(attempt.attempt())
                .build();
    }

    static TaskAttemptId read(DaemonProto.TaskAttemptId attempt) {
        return attempt(attempt.getFragment(), attempt.getTask(), attempt.getAttempt());
    }

    /** Returns the identity that these fields of a message have. */
    static TaskAttemptId attempt(int fragment, int task, int attempt) {
        return new TaskAttemptId(Messages.count(fragment), Messages.count(task), Messages.count(attempt));
    }
}
