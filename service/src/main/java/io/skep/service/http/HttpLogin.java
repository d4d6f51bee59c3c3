package io.skep.service.http;

import io.skep.service.authentication.AuthenticationException;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.PasswordAuthenticator;
import io.skep.service.authentication.UserNames;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** Authenticates the client of a request by the header {@code Authorization}. Thread-safe. */
final class HttpLogin {
    private final ClientAuthentication authentication;

    HttpLogin(ClientAuthentication authentication) {
        this.authentication = authentication;
    }

    /**
     * Returns the user, who is authenticated; empty when clients do not log in, and this one did not.
     *
     * @throws AuthenticationException when the login is missing or refused
     */
    Optional<String> user(HttpFields headers) throws AuthenticationException {
        Optional<BasicLogin> login = BasicLogin.of(headers.get(HttpHeader.AUTHORIZATION));
        if (login.isPresent()) {
            return Optional.of(verified(login.get()));
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
        PasswordAuthenticator passwords = authentication
                .passwords()
                .orElseThrow(() -> new AuthenticationException("clients do not log in by a password"));
        return passwords.verify(login.user(), login.password());
    }

    /** Returns the challenges that a client without a login gets. */
    List<String> challenges() {
        return List.of("Basic realm=\"HiveServer2\", charset=\"UTF-8\"");
    }
}
