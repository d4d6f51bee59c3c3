package io.skep.service.wire;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.KerberosAcceptor;
import io.skep.authentication.LoginNegotiation;
import io.skep.authentication.PasswordAuthenticator;
import io.skep.authentication.UserNames;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.DelegationTokens;
import io.skep.service.authentication.Transport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server side of Thrift's SASL negotiation with the mechanisms PLAIN (RFC 4616), GSSAPI (RFC 4752) and, for
 * delegation tokens, DIGEST-MD5 (RFC 2831). Each message begins with a status byte and a length.
 */
final class SaslNegotiation {
    private static final Logger LOG = LoggerFactory.getLogger(SaslNegotiation.class);
    private static final byte START = 1;
    private static final byte OK = 2;
    private static final byte BAD = 3;
    private static final byte ERROR = 4;
    private static final byte COMPLETE = 5;

    /** The limit on the bytes of all messages of a client. A ticket that lists the user's groups may be long. */
    private static final int MAX_BYTES = 64 << 10;

    /** Kerberos needs three messages. */
    private static final int MAX_MESSAGES = 8;

    /** Requests a mechanism that does not exist, which the server answers. */
    static final byte[] QUESTION = {START, 0, 0, 0, 5, 'A', 'L', 'I', 'V', 'E'};

    private final ClientTransport transport;
    private final String address;
    private final AuditLog audit;
    private int left = MAX_BYTES;

    /**
     * A client that is known.
     *
     * @param protection of the messages that follow, if both sides have agreed on one
     * @param byToken whether it has logged in by a delegation token
     */
    record Login(String user, Optional<FrameProtection> protection, boolean byToken) {}

    private interface Beginning {
        LoginNegotiation begin() throws AuthenticationException;
    }

    /**
     * @param address the client's address, for the log
     * @param audit takes refused logins
     */
    SaslNegotiation(ClientTransport transport, String address, AuditLog audit) {
        this.transport = transport;
        this.address = address;
        this.audit = audit;
    }

    /** Whether a stream that begins with this byte uses SASL. */
    static boolean begins(int firstByte) {
        return firstByte == START;
    }

    /**
     * Negotiates and returns the user, who is authenticated.
     *
     * @param maxMessageBytes the size of messages that the client may send later
     */
    Login accept(ClientAuthentication authentication, int maxMessageBytes)
            throws TTransportException, TProtocolException {
        byte status = readByte();
        String mechanism = new String(message(), StandardCharsets.US_ASCII);
        Optional<PasswordAuthenticator> passwords = authentication.users().passwords();
        Optional<KerberosAcceptor> kerberos = authentication.users().kerberos();
        if (status == START && mechanism.equals("PLAIN") && passwords.isPresent()) {
            return new Login(byPassword(passwords.get()), Optional.empty(), false);
        }
        if (status == START && mechanism.equals("GSSAPI") && kerberos.isPresent()) {
            return negotiate(() -> kerberos.get().negotiate(maxMessageBytes), false);
        }
        Optional<DelegationTokens> tokens = authentication.delegationTokens();
        if (status == START && mechanism.equals("DIGEST-MD5") && tokens.isPresent() && kerberos.isPresent()) {
            return negotiate(() -> tokens.get().negotiate(kerberos.get().protection(), maxMessageBytes), true);
        }
        throw refusedLogin(
                Optional.empty(),
                "Unsupported mechanism type " + mechanism + ": "
                        + authentication.users().advice());
    }

    private Login negotiate(Beginning beginning, boolean byToken) throws TTransportException, TProtocolException {
        LoginNegotiation negotiation = null;
        boolean accepted = false;
        try {
            negotiation = beginning.begin();
            for (int i = 0; i < MAX_MESSAGES; i++) {
                byte[] answer = negotiation.answer(response());
                if (negotiation.isComplete()) {
                    String user = negotiation.user();
                    send(COMPLETE, answer);
                    accepted = true;
                    return new Login(user, FrameProtection.of(negotiation.mechanism()), byToken);
                }
                send(OK, answer);
            }
            throw new AuthenticationException("the client does not end the negotiation");
        } catch (AuthenticationException e) {
            String how = byToken ? "a delegation token" : "Kerberos";
            LOG.info("a login by {} from {} is refused: {}", how, address, e.getMessage());
            LOG.debug("refused", e);
            record(Optional.empty(), String.valueOf(e.getMessage()));
            throw refused(PasswordAuthenticator.REFUSAL);
        } finally {
            if (negotiation != null && !accepted) {
                negotiation.dispose();
            }
        }
    }

    private byte[] response() throws TTransportException, TProtocolException {
        byte status = readByte();
        byte[] response = message();
        if (status != OK && status != COMPLETE) {
            throw new TTransportException("the client broke off the SASL negotiation");
        }
        return response;
    }

    private String byPassword(PasswordAuthenticator passwords) throws TTransportException, TProtocolException {
        byte[] response = response();
        String[] parts = new String(response, StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            throw refused("Malformed PLAIN response");
        }
        String user = parts[1];
        if (!parts[0].isEmpty() && !parts[0].equals(user)) {
            throw refusedLogin(
                    Optional.of(user),
                    "the user cannot act as another one: the authorization identity has to be that of the user");
        }
        if (user.isEmpty()) {
            throw refusedLogin(Optional.empty(), "No user name provided");
        }
        var problem = UserNames.problem(user);
        if (problem.isPresent()) {
            throw refusedLogin(Optional.of(user), problem.get());
        }
        try {
            String known = passwords.verify(user, parts[2], address);
            send(COMPLETE, new byte[0]);
            return known;
        } catch (AuthenticationException e) {
            LOG.info("the login of {} from {} is refused: {}", user, address, e.getMessage());
            LOG.debug("refused", e);
            record(Optional.of(user), String.valueOf(e.getMessage()));
            throw refused(PasswordAuthenticator.REFUSAL);
        }
    }

    private void record(Optional<String> user, String why) {
        audit.recordRefusal(AuditEvent.refusedLogin(AuditedClient.unknown(Transport.BINARY, address, user), why));
    }

    private TTransportException refusedLogin(Optional<String> user, String why) throws TTransportException {
        record(user, why);
        return refused(why);
    }

    /** Refuses the negotiation that the client has begun. */
    void refuse(String why) throws TTransportException, TProtocolException {
        readByte();
        message();
        send(ERROR, why.getBytes(StandardCharsets.UTF_8));
    }

    private TTransportException refused(String why) throws TTransportException {
        send(BAD, why.getBytes(StandardCharsets.UTF_8));
        return new TTransportException(why);
    }

    /** Waits for a message without holding a buffer. */
    private byte readByte() throws TTransportException {
        transport.awaitFirstByte();
        byte[] one = new byte[1];
        transport.readAll(one, 0, 1);
        return one[0];
    }

    private byte[] message() throws TTransportException, TProtocolException {
        byte[] four = new byte[4];
        transport.readAll(four, 0, 4);
        int length = ByteBuffer.wrap(four).getInt();
        if (length < 0 || length > left) {
            throw new TTransportException("a SASL message of " + length + " bytes");
        }
        left -= length;
        return transport.readBytes(length);
    }

    private void send(byte status, byte[] payload) throws TTransportException {
        transport.write(
                ByteBuffer.allocate(5).put(status).putInt(payload.length).array());
        transport.write(payload);
        transport.flush();
    }
}
