package io.skep.service.http;

import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.PasswordAuthenticator;
import io.skep.service.authentication.RememberedLogins;
import io.skep.service.authentication.UserNames;
import io.skep.service.authentication.VerifiedLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Authenticates the client of a request by the header {@code Authorization}. Thread-safe. */
final class HttpLogin {
    private static final String REALM = "realm=\"HiveServer2\"";

    private final ClientAuthentication authentication;
    private final Optional<PasswordAuthenticator> passwords;

    /**
     * @param memory the time for which a right password is not verified again; 0: it is verified with each request
     * @param steady measures it
     */
    HttpLogin(ClientAuthentication authentication, Duration memory, InstantSource steady) {
        this.authentication = authentication;
        Optional<PasswordAuthenticator> verifier = authentication.passwords();
        this.passwords = authentication.config().verifies() && memory.isPositive()
                ? verifier.map(passwords -> new RememberedLogins(passwords, memory, steady))
                : verifier;
    }

    /**
     * Returns the login of the user, who is authenticated; empty when clients do not log in, and this one did not.
     *
     * @throws AuthenticationException when the login is missing or refused
     */
    Optional<VerifiedLogin> user(HttpFields headers) throws AuthenticationException {
        @Nullable String header = headers.get(HttpHeader.AUTHORIZATION);
        Optional<BearerLogin> bearer = BearerLogin.of(header);
        if (bearer.isPresent() && authentication.tokens().isPresent()) {
            return Optional.of(authentication.tokens().get().verify(bearer.get().token()));
        }
        Optional<BasicLogin> login = BasicLogin.of(header);
        if (login.isPresent()) {
            return Optional.of(VerifiedLogin.of(verified(login.get())));
        }
        if (authentication.config().sasl()) {
            throw new AuthenticationException("the request has no user name, or its cookie has ended");
        }
        return Optional.empty();
    }

    private String verified(BasicLogin login) throws AuthenticationException {
        Optional<String> problem = UserNames.problem(login.user());
        if (problem.isPresent()) {
            throw new AuthenticationException(problem.get());
        }
        return passwords
                .orElseThrow(() -> new AuthenticationException("clients do not log in by a password"))
                .verify(login.user(), login.password());
    }

    /** Returns the challenges that a client without a login gets. */
    List<String> challenges() {
        Stream<String> basic = passwords.stream().map(_ -> "Basic " + REALM + ", charset=\"UTF-8\"");
        Stream<String> bearer = authentication.tokens().stream().map(_ -> "Bearer " + REALM);
        return Stream.concat(basic, bearer).toList();
    }
}
