package io.skep.authentication;

import io.skep.authentication.jwt.JwtConfig;
import io.skep.authentication.jwt.JwtVerifier;
import io.skep.authentication.jwt.VerifiedToken;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Verifies the signed tokens of HTTP's Bearer authentication. Thread-safe, and its waits are limited in time. */
public final class TokenAuthenticator {
    private final JwtVerifier verifier;
    private final InstantSource clock;

    private TokenAuthenticator(JwtVerifier verifier, InstantSource clock) {
        this.verifier = verifier;
        this.clock = clock;
    }

    /** @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when a file with keys cannot be used */
    static TokenAuthenticator open(JwtConfig config, InstantSource clock) {
        return new TokenAuthenticator(JwtVerifier.open(config, clock), clock);
    }

    /** @throws AuthenticationException when the token is not valid now, or its subject is no name of a user */
    public VerifiedLogin verify(String token) throws AuthenticationException {
        VerifiedToken verified;
        try {
            verified = verifier.verify(token);
        } catch (GeneralSecurityException e) {
            throw new AuthenticationException("JWT: " + e.getMessage(), e);
        }
        Optional<String> problem = UserNames.problem(verified.subject());
        if (problem.isPresent()) {
            throw new AuthenticationException("JWT: " + problem.get());
        }
        return new VerifiedLogin(verified.subject(), verified.end().map(end -> Duration.between(clock.instant(), end)));
    }
}
