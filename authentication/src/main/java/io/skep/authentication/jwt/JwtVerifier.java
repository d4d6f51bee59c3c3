package io.skep.authentication.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies tokens. Only signatures with public keys of the sets count: neither "none", nor the algorithms with a secret
 * (HS256 ...), for which a public key could be misused, nor keys in the token itself. Thread-safe.
 */
public final class JwtVerifier {
    private static final int MAX_CHARACTERS = 16 << 10;

    /** A token without the name of its key is tried with no more keys than that. */
    private static final int MAX_TRIED_KEYS = 16;

    /** For clocks of issuers that are ahead. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final JwtConfig config;
    private final JwtKeys keys;
    private final InstantSource clock;

    /** Of the library; makes a verifier for each token and key. */
    private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();

    private JwtVerifier(JwtConfig config, Duration timeout, InstantSource clock) {
        this.config = config;
        this.keys = new JwtKeys(config.keyUrls(), timeout, clock);
        this.clock = clock;
    }

    /** Reads each set of keys once. Returns the addresses of all sets, with what is wrong with those without keys. */
    public static Map<URI, Optional<String>> probe(JwtConfig config) {
        Map<URI, Optional<String>> problems = new LinkedHashMap<>();
        for (URI url : config.keyUrls()) {
            try {
                var _ = JwtKeys.read(new KeySource(url, TIMEOUT));
                problems.put(url, Optional.empty());
            } catch (IOException e) {
                problems.put(url, Optional.of(e.toString()));
            }
        }
        return problems;
    }

    /**
     * Reads the keys.
     *
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when a file with keys cannot be read
     */
    public static JwtVerifier open(JwtConfig config, InstantSource clock) {
        return open(config, TIMEOUT, clock);
    }

    static JwtVerifier open(JwtConfig config, Duration timeout, InstantSource clock) {
        return new JwtVerifier(config, timeout, clock);
    }

    /**
     * Returns what a token says, when it is valid now.
     *
     * @throws GeneralSecurityException when it is not; the message has no part of the token
     */
    public VerifiedToken verify(String token) throws GeneralSecurityException {
        if (token.length() > MAX_CHARACTERS) {
            throw new SignatureException("the token has more than " + MAX_CHARACTERS + " characters");
        }
        try {
            SignedJWT signed = SignedJWT.parse(token);
            if (!ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
                throw new SignatureException("the algorithm of the token is not accepted");
            }
            if (!isSigned(signed) && !(keys.refresh() && isSigned(signed))) {
                throw new SignatureException("no known key has signed the token");
            }
            return checked(signed.getJWTClaimsSet());
        } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
            throw new SignatureException("it is not a signed token", e);
        }
    }

    private boolean isSigned(SignedJWT token) {
        List<JWK> matching = keys.matching(token.getHeader());
        return matching.stream().limit(MAX_TRIED_KEYS).anyMatch(key -> isSigned(token, key));
    }

    private boolean isSigned(SignedJWT token, JWK key) {
        JWSHeader header = token.getHeader();
        try {
            return key instanceof AsymmetricJWK pair
                    && token.verify(verifiers.createJWSVerifier(header, pair.toPublicKey()));
        } catch (JOSEException e) {
            return false;
        }
    }

    private VerifiedToken checked(JWTClaimsSet claims) throws SignatureException {
        Instant now = clock.instant();
        Optional<Instant> end = instant(claims.getExpirationTime());
        if (end.isPresent() && !now.isBefore(end.get())) {
            throw new SignatureException("the token has expired");
        }
        Optional<Instant> begin = instant(claims.getNotBeforeTime());
        if (begin.isPresent() && now.plus(SKEW).isBefore(begin.get())) {
            throw new SignatureException("the token is not valid yet");
        }
        if (config.issuer().isPresent() && !config.issuer().get().equals(claims.getIssuer())) {
            throw new SignatureException("the token is of another issuer");
        }
        if (config.audience().isPresent()
                && !claims.getAudience().contains(config.audience().get())) {
            throw new SignatureException("the token is for others");
        }
        String subject = claims.getSubject();
        if (subject == null || subject.isBlank()) {
            throw new SignatureException("the token names no user (sub)");
        }
        return new VerifiedToken(subject, end);
    }

    private static Optional<Instant> instant(@org.jspecify.annotations.Nullable Date date) {
        return Optional.ofNullable(date).map(Date::toInstant);
    }
}
