package io.skep.tez;

import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.OutputLocation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Where a task's rows are, as the payload of the one event that its consumers get of it. */
final class OutputAddress {
    private OutputAddress() {}

    static ByteBuffer encode(OutputLocation location) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(location.daemon().slot());
            out.writeUTF(location.daemon().incarnation());
            out.writeInt(location.daemon().executors());
            out.writeUTF(
                    location.daemon().endpoint().map(DaemonEndpoint::toString).orElse(""));
            out.writeInt(location.output().fragment());
            out.writeInt(location.output().task());
            out.writeInt(location.output().attempt());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    static OutputLocation decode(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            DaemonIdentity daemon =
                    new DaemonIdentity(in.readInt(), in.readUTF(), in.readInt(), endpoint(in.readUTF()));
            return new OutputLocation(daemon, new OutputId(in.readInt(), in.readInt(), in.readInt()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<DaemonEndpoint> endpoint(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(DaemonEndpoint.parse(text));
    }
}
