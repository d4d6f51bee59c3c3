package io.skep.llap.client.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Optional;

/**
 * A daemon's answer to the first call of a connection.
 *
 * @param challenge random for each connection; only a peer that knows the secret can answer it
 * @param proof shows that the daemon knows the secret too; empty when it has none
 * @param clockMillis the daemon's time, in milliseconds since 1970
 * @param external where external readers find the daemon, if they do
 */
public record Greeting(
        DaemonIdentity identity, byte[] challenge, byte[] proof, long clockMillis, Optional<URI> external) {
    /** Incremented with every change of the format. */
    private static final int VERSION = 11;

    /** Creates the greeting of a daemon that external readers do not find. */
    public Greeting(DaemonIdentity identity, byte[] challenge, byte[] proof, long clockMillis) {
        this(identity, challenge, proof, clockMillis, Optional.empty());
    }

    public byte[] encode() {
        DaemonProto.Greeting message = DaemonProto.Greeting.newBuilder()
                .setIdentity(IdentityCodec.write(identity))
                .setChallenge(Messages.wrap(challenge))
                .setProof(Messages.wrap(proof))
                .setClockMillis(clockMillis)
                .setExternal(external.map(URI::toString).orElse(""))
                .build();
        byte[] bytes = new byte[CodedOutputStream.computeUInt32SizeNoTag(VERSION) + message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            out.writeUInt32NoTag(VERSION);
            message.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("an array of the greeting's size is too small for it", e);
        }
        return bytes;
    }

    /** @throws SkepException NOT_SUPPORTED when the daemon has another version */
    public static Greeting decode(byte[] bytes) {
        return Messages.read(bytes, Greeting::read);
    }

    private static Greeting read(CodedInputStream in) throws IOException {
        long version = in.readUInt64();
        if (version != VERSION) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the daemon speaks version " + version + " of the protocol, this process version "
                                    + VERSION)
                    .withHint("run servers and daemons of the same release");
        }
        DaemonProto.Greeting greeting = Messages.rest(DaemonProto.Greeting.parser(), in);
        if (!greeting.hasIdentity()) {
            throw Messages.damaged("a greeting names no daemon");
        }
        return new Greeting(
                IdentityCodec.read(greeting.getIdentity()),
                greeting.getChallenge().toByteArray(),
                greeting.getProof().toByteArray(),
                greeting.getClockMillis(),
                greeting.getExternal().isEmpty() ? Optional.empty() : Optional.of(URI.create(greeting.getExternal())));
    }
}
