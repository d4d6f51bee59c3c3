package io.skep.service.wire;

import io.skep.authentication.testing.TestingKdc;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.security.auth.Subject;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.thrift.transport.TSaslClientTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** The client's side of SASL GSSAPI by the JDK: through Thrift's own transport, or message by message. */
final class KerberosClient {
    private static final byte START = 1;
    private static final byte OK = 2;
    private static final byte COMPLETE = 5;

    private KerberosClient() {}

    private static <T> T asClient(Subject client, Callable<T> action) throws Exception {
        return TestingKdc.as(client, action);
    }

    /** Opens a connection that is ready for calls, as Hive's driver does. */
    static TTransport open(TTransport socket, Subject client, String service, String protections) throws Exception {
        TTransport transport = new TSaslClientTransport(
                "GSSAPI", null, service, "localhost", Map.of(Sasl.QOP, protections), null, socket);
        asClient(client, () -> {
            transport.open();
            return transport;
        });
        return transport;
    }

    /** Returns the client's side of a login, of which nothing was sent. */
    static SaslClient sasl(Subject client, String protection) throws Exception {
        return asClient(
                client,
                () -> Sasl.createSaslClient(
                        new String[] {"GSSAPI"}, null, "hive", "localhost", Map.of(Sasl.QOP, protection), null));
    }

    static byte[] token(Subject client, SaslClient sasl, byte[] challenge) throws Exception {
        byte[] token = asClient(client, () -> sasl.evaluateChallenge(challenge));
        return token == null ? new byte[0] : token;
    }

    /** Sends the choice of the mechanism and the first token. */
    static void begin(TTransport socket, byte[] token) throws TTransportException {
        send(socket, START, "GSSAPI".getBytes(StandardCharsets.US_ASCII));
        send(socket, OK, token);
    }

    /** Logs in by sending one message after the other. */
    static SaslClient login(TTransport socket, Subject client, String protection) throws Exception {
        SaslClient sasl = sasl(client, protection);
        begin(socket, token(client, sasl, new byte[0]));
        while (!sasl.isComplete()) {
            byte[] token = token(client, sasl, answer(socket, OK));
            send(socket, sasl.isComplete() ? COMPLETE : OK, token);
        }
        answer(socket, COMPLETE);
        return sasl;
    }

    static void send(TTransport socket, byte status, byte[] payload) throws TTransportException {
        socket.write(ByteBuffer.allocate(5 + payload.length)
                .put(status)
                .putInt(payload.length)
                .put(payload)
                .array());
        socket.flush();
    }

    /** Returns the payload of the server's message, which has this status. */
    static byte[] answer(TTransport socket, byte status) throws TTransportException {
        byte[] header = new byte[5];
        socket.readAll(header, 0, 5);
        byte[] payload = new byte[ByteBuffer.wrap(header, 1, 4).getInt()];
        socket.readAll(payload, 0, payload.length);
        if (header[0] != status) {
            throw new TTransportException(header[0] + " " + new String(payload, StandardCharsets.UTF_8));
        }
        return payload;
    }
}
