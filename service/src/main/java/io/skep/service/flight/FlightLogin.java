package io.skep.service.flight;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.skep.authentication.AuthenticationException;
import io.skep.authentication.PasswordAuthenticator;
import io.skep.authentication.VerifiedLogin;
import io.skep.authentication.http.HttpLogin;
import io.skep.authentication.http.LoginCookies;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.server.external.FlightPort;
import io.skep.reader.FlightSplits;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.apache.arrow.flight.FlightConstants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of Flight SQL: the header {@code authorization} as over HTTP, by the same classes. The answer to a
 * handshake has a token, which stands for the login afterwards, and for a session. Clients without such a token get a
 * cookie for their session. A call without a login may only bring a ticket. Nothing of a call is read before its login
 * is verified.
 */
final class FlightLogin implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(FlightLogin.class);
    static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> COOKIE = Metadata.Key.of("cookie", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> SET_COOKIE =
            Metadata.Key.of("set-cookie", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> READS =
            Metadata.Key.of(FlightSplits.READS_ONLY, Metadata.ASCII_STRING_MARSHALLER);
    private static final String BEARER = "Bearer ";

    /** The name that Flight's libraries give the cookie of a session. */
    private static final String SESSION = "arrow_flight_session_id";

    /** Marks the tokens of this port, so that they are not taken for those of an identity provider. */
    private static final String OWN = "skep-";

    private static final Duration AGE = Duration.ofHours(12);
    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final String HANDSHAKE = FlightConstants.SERVICE + "/Handshake";
    private static final String READ = FlightConstants.SERVICE + "/DoGet";
    private static final String ANONYMOUS = "anonymous";
    private static final Context.Key<Client> CLIENT = Context.key("client");

    private final HttpLogin logins;
    private final boolean required;
    private final LoginCookies tokens;
    private final LoginCookies cookies;
    private final AuditLog audit;

    /**
     * Who calls.
     *
     * @param user whose rights the call has
     * @param session names the client's session, if its token or cookie does
     * @param reads whether the client only wants rows, and no statement that changes something
     */
    record Client(String user, String address, Optional<UUID> session, boolean reads) {}

    FlightLogin(ClientAuthentication authentication, AuditLog audit, InstantSource steady) {
        this.audit = audit;
        this.logins = new HttpLogin(authentication.users(), REMEMBERED, steady);
        this.required = authentication.users().config().verifies();
        this.tokens = new LoginCookies("", steady);
        this.cookies = new LoginCookies(SESSION, steady);
    }

    /**
     * Returns the client of the current call.
     *
     * @throws SkepException ACCESS_DENIED when it has not logged in
     */
    static Client client() {
        Client client = CLIENT.get();
        if (client == null) {
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, "The call has no login");
        }
        return client;
    }

    /** Returns the user of the current call, if it has logged in. */
    static Optional<String> known() {
        return Optional.ofNullable(CLIENT.get()).map(Client::user);
    }

    /** A user and the name of a session, as they are in tokens and cookies. */
    private record Named(UUID session, String user) {
        private static final int UUID_LENGTH = 36;

        static Named of(String text) {
            return new Named(UUID.fromString(text.substring(0, UUID_LENGTH)), text.substring(UUID_LENGTH));
        }

        String text() {
            return session + user;
        }
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        String header = headers.get(AUTHORIZATION);
        String address = FlightPort.address();
        Context context = Context.current();
        if (header == null && method.equals(READ) && required) {
            return Contexts.interceptCall(context, call, headers, next);
        }
        Optional<Named> token;
        String name;
        try {
            token = ofToken(header);
            name = token.isPresent() ? token.get().user() : user(header, address);
        } catch (AuthenticationException e) {
            if (header != null) {
                AuditedClient client = AuditedClient.unknown(Transport.FLIGHT, address, HttpLogin.user(header));
                audit.recordRefusal(AuditEvent.refusedLogin(client, String.valueOf(e.getMessage())));
            }
            LOG.info("A login from {} is refused: {}", address, e.getMessage());
            return refuse(call, Status.UNAUTHENTICATED.withDescription(PasswordAuthenticator.REFUSAL));
        }
        FlightPort.proved();
        if (method.equals(HANDSHAKE)) {
            Metadata answer = new Metadata();
            answer.put(AUTHORIZATION, BEARER + OWN + tokens.issue(new Named(UUID.randomUUID(), name).text(), AGE));
            call.sendHeaders(answer);
            return refuse(call, Status.OK);
        }
        Optional<Named> session = token.or(() -> ofCookie(headers, name));
        Client client = new Client(name, address, session.map(Named::session), headers.containsKey(READS));
        ServerCall<A, B> answering = session.isPresent() ? call : withCookie(call, name);
        return Contexts.interceptCall(context.withValue(CLIENT, client), answering, headers, next);
    }

    private Optional<Named> ofToken(@Nullable String header) throws AuthenticationException {
        if (header == null || !header.startsWith(BEARER + OWN)) {
            return Optional.empty();
        }
        return Optional.of(Named.of(tokens.user(header.substring(BEARER.length() + OWN.length()))
                .orElseThrow(() -> new AuthenticationException("the token has ended, or is another server's"))));
    }

    private String user(@Nullable String header, String address) throws AuthenticationException {
        return header == null && !required
                ? ANONYMOUS
                : logins.of(header, address).verified().map(VerifiedLogin::user).orElse(ANONYMOUS);
    }

    /** A cookie only names a session; who calls is decided by the login. */
    private Optional<Named> ofCookie(Metadata headers, String user) {
        return cookies.ofHeader(headers.get(COOKIE))
                .map(Named::of)
                .filter(named -> named.user().equals(user));
    }

    private <A, B> ServerCall<A, B> withCookie(ServerCall<A, B> call, String user) {
        String cookie = SESSION + "=" + cookies.issue(new Named(UUID.randomUUID(), user).text(), AGE);
        return new ForwardingServerCall.SimpleForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata headers) {
                headers.put(SET_COOKIE, cookie);
                super.sendHeaders(headers);
            }
        };
    }

    private static <A, B> ServerCall.Listener<A> refuse(ServerCall<A, B> call, Status end) {
        call.close(end, new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
