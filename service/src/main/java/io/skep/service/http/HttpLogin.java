package io.skep.service.http;

import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.KerberosAcceptor;
import io.skep.service.authentication.PasswordAuthenticator;
import io.skep.service.authentication.RememberedLogins;
import io.skep.service.authentication.Transport;
import io.skep.service.authentication.UserNames;
import io.skep.service.authentication.VerifiedLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Authenticates the client of a request by the header {@code Authorization}, or by a delegation token. Thread-safe. */
public final class HttpLogin {
    private static final String REALM = "realm=\"HiveServer2\"";
    private static final String NEGOTIATE = "Negotiate";

    /** The header in which Hive's driver sends a delegation token. */
    private static final String TOKEN = "X-Hive-Delegation-Token";

    private final ClientAuthentication authentication;
    private final Optional<PasswordAuthenticator> passwords;

    /**
     * A client that may go on.
     *
     * @param verified absent when clients do not log in, and this one did not
     * @param byToken whether it has logged in by a delegation token
     * @param proof the value of {@code WWW-Authenticate} by which the server proves who it is, if the client asks it
     */
    public record Login(Optional<VerifiedLogin> verified, boolean byToken, Optional<String> proof) {
        static Login of(VerifiedLogin verified) {
            return new Login(Optional.of(verified), false, Optional.empty());
        }
    }

    /**
     * @param memory the time for which a right password is not verified again; 0: it is verified with each request
     * @param steady measures it
     */
    public HttpLogin(ClientAuthentication authentication, Duration memory, InstantSource steady) {
        this.authentication = authentication;
        Optional<PasswordAuthenticator> verifier = authentication.passwords();
        this.passwords = authentication.config().verifies() && memory.isPositive()
                ? verifier.map(passwords -> new RememberedLogins(passwords, memory, steady))
                : verifier;
    }

    /**
     * Returns the client, who is authenticated.
     *
     * @throws AuthenticationException when the login is missing or refused
     */
    Login of(HttpFields headers) throws AuthenticationException {
        @Nullable String token = headers.get(TOKEN);
        if (token != null && authentication.delegationTokens().isPresent()) {
            VerifiedLogin owner =
                    VerifiedLogin.of(authentication.delegationTokens().get().verify(token));
            return new Login(Optional.of(owner), true, Optional.empty());
        }
        return of(headers.get(HttpHeader.AUTHORIZATION));
    }

    /**
     * Does the same for the value of the header {@code Authorization}, which may be absent.
     *
     * @throws AuthenticationException when the login is missing or refused
     */
    public Login of(@Nullable String header) throws AuthenticationException {
        Optional<byte[]> ticket = ticket(header);
        if (ticket.isPresent() && authentication.kerberos().isPresent()) {
            return byTicket(authentication.kerberos().get(), ticket.get());
        }
        Optional<BearerLogin> bearer = BearerLogin.of(header);
        if (bearer.isPresent() && authentication.tokens().isPresent()) {
            return Login.of(authentication.tokens().get().verify(bearer.get().token()));
        }
        Optional<BasicLogin> login = BasicLogin.of(header);
        if (login.isPresent()) {
            return Login.of(VerifiedLogin.of(verified(login.get())));
        }
        if (authentication.config().sasl()) {
            throw new AuthenticationException("the request has no login, or its cookie has ended");
        }
        return new Login(Optional.empty(), false, Optional.empty());
    }

    /**
     * Returns the token of SPNEGO (RFC 4559); empty without a header, for other schemes and for damaged ones. Hive's
     * driver writes a colon before the token.
     */
    private static Optional<byte[]> ticket(@Nullable String header) {
        if (header == null || !header.regionMatches(true, 0, NEGOTIATE + " ", 0, NEGOTIATE.length() + 1)) {
            return Optional.empty();
        }
        String token = header.substring(NEGOTIATE.length()).strip();
        try {
            return Optional.of(Base64.getDecoder()
                    .decode(token.startsWith(":") ? token.substring(1).strip() : token));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Login byTicket(KerberosAcceptor kerberos, byte[] token) throws AuthenticationException {
        KerberosAcceptor.HttpClient client = kerberos.accept(token);
        String proof = NEGOTIATE + " " + Base64.getEncoder().encodeToString(client.answer());
        return new Login(
                Optional.of(VerifiedLogin.of(client.user())),
                false,
                client.answer().length == 0 ? Optional.empty() : Optional.of(proof));
    }

    /** Returns the event of a refused login for the audit log; empty for a request without one. */
    static Optional<AuditEvent> refusal(
            HttpFields headers, Transport transport, String address, AuthenticationException why) {
        @Nullable String header = headers.get(HttpHeader.AUTHORIZATION);
        if (header == null && !headers.contains(TOKEN)) {
            return Optional.empty();
        }
        return Optional.of(refusal(header, transport, address, why));
    }

    /** Returns the event of a refused login for the audit log. */
    public static AuditEvent refusal(
            @Nullable String header, Transport transport, String address, AuthenticationException why) {
        Optional<String> user = BasicLogin.of(header).map(BasicLogin::user);
        return AuditEvent.refusedLogin(
                AuditedClient.unknown(transport, address, user), String.valueOf(why.getMessage()));
    }

    private String verified(BasicLogin login) throws AuthenticationException {
        Optional<String> problem = UserNames.problem(login.user());
        if (problem.isPresent()) {
            throw new AuthenticationException(problem.get());
        }
        return passwords
                .orElseThrow(() -> new AuthenticationException(authentication.advice()))
                .verify(login.user(), login.password());
    }

    /** Returns the challenges that a client without a login gets. */
    List<String> challenges() {
        List<String> challenges = new ArrayList<>();
        authentication.kerberos().ifPresent(_ -> challenges.add(NEGOTIATE));
        passwords.ifPresent(_ -> challenges.add("Basic " + REALM + ", charset=\"UTF-8\""));
        authentication.tokens().ifPresent(_ -> challenges.add("Bearer " + REALM));
        return challenges;
    }

    /** Returns the text of the answer to a client without a login. */
    String refusal() {
        String refusal = "the request has no login that the server accepts, or its cookie has ended";
        return authentication.passwords().isPresent() ? refusal : refusal + "; " + authentication.advice();
    }
}
