package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonIdentity;

/**
 * A daemon's answer to the first call of a connection.
 *
 * @param challenge random for each connection; only a peer that knows the secret can answer it
 * @param proof shows that the daemon knows the secret too; empty when it has none
 * @param clockMillis the daemon's time, in milliseconds since 1970
 */
public record Greeting(DaemonIdentity identity, byte[] challenge, byte[] proof, long clockMillis) {
    /** Incremented with every change of the format. */
    private static final int VERSION = 8;

    public byte[] encode() {
        WireWriter out = new WireWriter().number(VERSION);
        IdentityCodec.write(out, identity);
        return out.bytes(challenge).bytes(proof).number(clockMillis).toByteArray();
    }

    /** @throws SkepException NOT_SUPPORTED when the daemon has another version */
    public static Greeting decode(byte[] bytes) {
        return WireReader.read(bytes, Greeting::read);
    }

    private static Greeting read(WireReader in) {
        long version = in.number();
        if (version != VERSION) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the daemon speaks version " + version + " of the protocol, this process version "
                                    + VERSION)
                    .withHint("run servers and daemons of the same release");
        }
        return new Greeting(IdentityCodec.read(in), in.bytes(), in.bytes(), in.number());
    }
}
