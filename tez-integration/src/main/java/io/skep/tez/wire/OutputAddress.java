package io.skep.tez.wire;

import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.TaskAttemptId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Encodes the location of a task's rows as the payload of the one event that its consumers receive. */
public final class OutputAddress {
    private OutputAddress() {}

    public static ByteBuffer encode(OutputLocation location) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, location.daemon());
            out.writeInt(location.output().fragment());
            out.writeInt(location.output().task());
            out.writeInt(location.output().attempt());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    public static OutputLocation decode(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new OutputLocation(readDaemon(in), new TaskAttemptId(in.readInt(), in.readInt(), in.readInt()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(DataOutputStream out, DaemonIdentity daemon) throws IOException {
        out.writeInt(daemon.slot());
        out.writeUTF(daemon.incarnation());
        out.writeInt(daemon.executors());
        out.writeUTF(daemon.endpoint().map(DaemonEndpoint::toString).orElse(""));
    }

    static DaemonIdentity readDaemon(DataInputStream in) throws IOException {
        return new DaemonIdentity(in.readInt(), in.readUTF(), in.readInt(), endpoint(in.readUTF()));
    }

    private static Optional<DaemonEndpoint> endpoint(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(DaemonEndpoint.parse(text));
    }
}
