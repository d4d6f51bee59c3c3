package io.skep.authentication.http;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.KerberosAcceptor;
import io.skep.authentication.PasswordAuthenticator;
import io.skep.authentication.RememberedLogins;
import io.skep.authentication.UserAuthentication;
import io.skep.authentication.UserNames;
import io.skep.authentication.VerifiedLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Authenticates the client of a request by the header {@code Authorization}. Thread-safe. */
public final class HttpLogin {
    private static final String REALM = "realm=\"HiveServer2\"";
    private static final String NEGOTIATE = "Negotiate";

    private final UserAuthentication authentication;
    private final Optional<PasswordAuthenticator> passwords;

    /**
     * A client that may go on.
     *
     * @param verified absent when clients do not log in, and this one did not
     * @param proof the value of {@code WWW-Authenticate} by which the server proves who it is, if the client asks it
     */
    public record Login(Optional<VerifiedLogin> verified, Optional<String> proof) {
        static Login of(VerifiedLogin verified) {
            return new Login(Optional.of(verified), Optional.empty());
        }
    }

    /**
     * @param memory the time for which a right password is not verified again; 0: it is verified with each request
     * @param steady measures it
     */
    public HttpLogin(UserAuthentication authentication, Duration memory, InstantSource steady) {
        this.authentication = authentication;
        Optional<PasswordAuthenticator> verifier = authentication.passwords();
        this.passwords = authentication.config().verifies() && memory.isPositive()
                ? verifier.map(passwords -> new RememberedLogins(passwords, memory, steady))
                : verifier;
    }

    /**
     * Returns the client, who is authenticated.
     *
     * @param address of the client
     * @throws AuthenticationException when the login is missing or refused
     */
    public Login of(HttpFields headers, String address) throws AuthenticationException {
        return of(headers.get(HttpHeader.AUTHORIZATION), address);
    }

    /**
     * Does the same for the value of the header {@code Authorization}, which may be absent.
     *
     * @throws AuthenticationException when the login is missing or refused
     */
    public Login of(@Nullable String header, String address) throws AuthenticationException {
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
            return Login.of(VerifiedLogin.of(verified(login.get(), address)));
        }
        if (authentication.config().sasl()) {
            throw new AuthenticationException("the request has no login, or its cookie has ended");
        }
        return new Login(Optional.empty(), Optional.empty());
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
                client.answer().length == 0 ? Optional.empty() : Optional.of(proof));
    }

    /** Returns the user's name that the value of a header {@code Authorization} has, which may be absent. */
    public static Optional<String> user(@Nullable String header) {
        return BasicLogin.of(header).map(BasicLogin::user);
    }

    private String verified(BasicLogin login, String address) throws AuthenticationException {
        Optional<String> problem = UserNames.problem(login.user());
        if (problem.isPresent()) {
            throw new AuthenticationException(problem.get());
        }
        return passwords
                .orElseThrow(() -> new AuthenticationException(authentication.advice()))
                .verify(login.user(), login.password(), address);
    }

    /** Returns the challenges that a client without a login gets. */
    public List<String> challenges() {
        List<String> challenges = new ArrayList<>();
        authentication.kerberos().ifPresent(_ -> challenges.add(NEGOTIATE));
        passwords.ifPresent(_ -> challenges.add("Basic " + REALM + ", charset=\"UTF-8\""));
        authentication.tokens().ifPresent(_ -> challenges.add("Bearer " + REALM));
        return challenges;
    }

    /** Returns the text of the answer to a client without a login. */
    public String refusal() {
        String refusal = "the request has no login that the server accepts, or its cookie has ended";
        return authentication.passwords().isPresent() ? refusal : refusal + "; " + authentication.advice();
    }
}
