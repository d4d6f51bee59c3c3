package io.skep.service.wire;

import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.PasswordAuthenticator;
import io.skep.service.authentication.UserNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server side of Thrift's SASL negotiation with the mechanism PLAIN (RFC 4616). Each message begins with a status
 * byte and a length.
 */
final class SaslNegotiation {
    private static final Logger LOG = LoggerFactory.getLogger(SaslNegotiation.class);
    private static final byte START = 1;
    private static final byte OK = 2;
    private static final byte BAD = 3;
    private static final byte ERROR = 4;
    private static final byte COMPLETE = 5;
    private static final int MAX_MESSAGE_BYTES = 64 << 10;

    /** Requests a mechanism that does not exist, which the server answers. */
    static final byte[] QUESTION = {START, 0, 0, 0, 5, 'A', 'L', 'I', 'V', 'E'};

    private final ClientTransport transport;
    private final String address;

    /** @param address the client's address, for the log */
    SaslNegotiation(ClientTransport transport, String address) {
        this.transport = transport;
        this.address = address;
    }

    /** Whether a stream that begins with this byte uses SASL. */
    static boolean begins(int firstByte) {
        return firstByte == START;
    }

    /** Negotiates and returns the name of the user, who is authenticated. */
    String accept(PasswordAuthenticator passwords) throws TTransportException, TProtocolException {
        byte status = readByte();
        String mechanism = new String(message(), StandardCharsets.US_ASCII);
        if (status != START || !mechanism.equals("PLAIN")) {
            throw refused("Unsupported mechanism type " + mechanism);
        }
        status = readByte();
        byte[] response = message();
        if (status != OK && status != COMPLETE) {
            throw new TTransportException("the client broke off the SASL negotiation");
        }
        String[] parts = new String(response, StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            throw refused("Malformed PLAIN response");
        }
        String user = parts[1];
        if (!parts[0].isEmpty() && !parts[0].equals(user)) {
            throw refused("the user cannot act as another one: the authorization identity has to be that of the user");
        }
        if (user.isEmpty()) {
            throw refused("No user name provided");
        }
        var problem = UserNames.problem(user);
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
        try {
            String known = passwords.verify(user, parts[2]);
            send(COMPLETE, "");
            return known;
        } catch (AuthenticationException e) {
            LOG.info("the login of {} from {} is refused: {}", user, address, e.getMessage());
            LOG.debug("refused", e);
            throw refused(PasswordAuthenticator.REFUSAL);
        }
    }

    /** Refuses the negotiation that the client has begun. */
    void refuse(String why) throws TTransportException, TProtocolException {
        readByte();
        message();
        send(ERROR, why);
    }

    private TTransportException refused(String why) throws TTransportException {
        send(BAD, why);
        return new TTransportException(why);
    }

    private byte readByte() throws TTransportException {
        byte[] one = new byte[1];
        transport.readAll(one, 0, 1);
        return one[0];
    }

    private byte[] message() throws TTransportException, TProtocolException {
        byte[] four = new byte[4];
        transport.readAll(four, 0, 4);
        int length = ByteBuffer.wrap(four).getInt();
        if (length < 0 || length > MAX_MESSAGE_BYTES) {
            throw new TTransportException("a SASL message of " + length + " bytes");
        }
        return transport.readBytes(length);
    }

    private void send(byte status, String text) throws TTransportException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        transport.write(
                ByteBuffer.allocate(5).put(status).putInt(payload.length).array());
        transport.write(payload);
        transport.flush();
    }
}
