package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.TaskAttemptId;
import java.util.List;
import java.util.Optional;

/** Encodes the identities of daemons and outputs. */
public final class IdentityCodec {
    private IdentityCodec() {}

    public static byte[] encode(DaemonIdentity daemon) {
        WireWriter out = new WireWriter();
        write(out, daemon);
        return out.toByteArray();
    }

    /** @throws SkepException when the bytes are not an identity */
    public static DaemonIdentity decode(byte[] bytes) {
        return WireReader.read(bytes, IdentityCodec::read);
    }

    static void write(WireWriter out, DaemonIdentity daemon) {
        out.number(Integer.toUnsignedLong(daemon.slot()))
                .text(daemon.incarnation())
                .number(daemon.executors())
                .all(
                        daemon.endpoint().stream().toList(),
                        endpoint -> out.text(endpoint.host()).number(endpoint.port()));
    }

    static DaemonIdentity read(WireReader in) {
        return new DaemonIdentity((int) in.number(), in.text(), in.count(), endpoint(in));
    }

    private static Optional<DaemonEndpoint> endpoint(WireReader in) {
        List<DaemonEndpoint> endpoints = in.all(() -> new DaemonEndpoint(in.text(), in.count()));
        return endpoints.stream().findFirst();
    }

    static void write(WireWriter out, TaskAttemptId output) {
        out.number(output.fragment()).number(output.task()).number(output.attempt());
    }

    static TaskAttemptId readOutput(WireReader in) {
        return new TaskAttemptId(in.count(), in.count(), in.count());
    }

    static void write(WireWriter out, OutputLocation location) {
        out.shared(location.daemon(), daemon -> write(out, daemon));
        write(out, location.output());
    }

    static OutputLocation readLocation(WireReader in) {
        return new OutputLocation(in.shared(DaemonIdentity.class, () -> read(in)), readOutput(in));
    }
}
