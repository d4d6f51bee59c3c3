package io.skep.service.flight;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.server.external.FlightPort;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.PasswordAuthenticator;
import io.skep.service.authentication.Transport;
import io.skep.service.authentication.VerifiedLogin;
import io.skep.service.http.HttpLogin;
import io.skep.service.http.LoginCookies;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.arrow.flight.FlightConstants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of Flight SQL: the header {@code authorization} as over HTTP, by the same classes. The answer to a Basic
 * login has a token, which stands for it afterwards. A call without a login may only bring a ticket. Nothing of a call
 * is read before its login is verified.
 */
final class FlightLogin implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(FlightLogin.class);
    static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String BEARER = "Bearer ";

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
    private final AuditLog audit;

    /** @param user whose rights the call has */
    record Client(String user, String address) {}

    FlightLogin(ClientAuthentication authentication, AuditLog audit, InstantSource steady) {
        this.audit = audit;
        this.logins = new HttpLogin(authentication, REMEMBERED, steady);
        this.required = authentication.config().verifies();
        this.tokens = new LoginCookies("", steady);
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
        Optional<String> user;
        try {
            user = user(header);
        } catch (AuthenticationException e) {
            if (header != null) {
                audit.recordRefusal(HttpLogin.refusal(header, Transport.FLIGHT, address, e));
            }
            LOG.info("A login from {} is refused: {}", address, e.getMessage());
            return refuse(call, Status.UNAUTHENTICATED.withDescription(PasswordAuthenticator.REFUSAL));
        }
        String name = user.orElse(ANONYMOUS);
        FlightPort.proved();
        if (method.equals(HANDSHAKE)) {
            Metadata answer = new Metadata();
            answer.put(AUTHORIZATION, BEARER + OWN + tokens.issue(name, AGE));
            call.sendHeaders(answer);
            return refuse(call, Status.OK);
        }
        return Contexts.interceptCall(context.withValue(CLIENT, new Client(name, address)), call, headers, next);
    }

    private Optional<String> user(@Nullable String header) throws AuthenticationException {
        if (header != null && header.startsWith(BEARER + OWN)) {
            return Optional.of(tokens.user(header.substring(BEARER.length() + OWN.length()))
                    .orElseThrow(() -> new AuthenticationException("the token has ended, or is another server's")));
        }
        return header == null && !required
                ? Optional.empty()
                : logins.of(header).verified().map(VerifiedLogin::user);
    }

    private static <A, B> ServerCall.Listener<A> refuse(ServerCall<A, B> call, Status end) {
        call.close(end, new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
