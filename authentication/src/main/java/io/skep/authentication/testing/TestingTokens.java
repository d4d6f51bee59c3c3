package io.skep.authentication.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** An issuer of tokens, with a key of RSA and one of an elliptic curve. */
public final class TestingTokens {
    public final RSAKey rsa;
    public final ECKey curve;

    public TestingTokens() {
        try {
            rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
            curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the public keys as a set. */
    public String publicKeys() {
        return set(List.of(rsa, curve));
    }

    public static String set(List<? extends JWK> keys) {
        return new JWKSet(List.copyOf(keys)).toPublicJWKSet().toString();
    }

    /** Returns a token of a user that is valid for a time from now. */
    public String token(String user, Duration time) {
        return signed(
                JWSAlgorithm.RS256,
                new JWTClaimsSet.Builder()
                        .subject(user)
                        .expirationTime(Date.from(Instant.now().plus(time)))
                        .build());
    }

    public String signed(JWSAlgorithm algorithm, JWTClaimsSet claims) {
        boolean isCurve = JWSAlgorithm.Family.EC.contains(algorithm);
        JWSHeader header = new JWSHeader.Builder(algorithm)
                .keyID(isCurve ? curve.getKeyID() : rsa.getKeyID())
                .build();
        return signed(header, claims);
    }

    public String signed(JWSHeader header, JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(header, claims);
        try {
            token.sign(
                    JWSAlgorithm.Family.EC.contains(header.getAlgorithm())
                            ? new ECDSASigner(curve)
                            : new RSASSASigner(rsa));
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
        return token.serialize();
    }
}
