package io.skep.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.skep.authentication.testing.TestingTokens;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which tokens are valid. */
final class TestJwtVerifier {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final TestingTokens ISSUER = new TestingTokens();
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);

    @TempDir
    private Path folder;

    private JwtVerifier verifier(String keys, Optional<String> issuer, Optional<String> audience) throws IOException {
        Path file = Files.writeString(folder.resolve("keys.json"), keys);
        return JwtVerifier.open(
                new JwtConfig(List.of(file.toUri()), issuer, audience), Duration.ofSeconds(5), now::get);
    }

    private JwtVerifier verifier() throws IOException {
        return verifier(ISSUER.publicKeys(), Optional.empty(), Optional.empty());
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder().subject("ann").expirationTime(Date.from(NOW.plusSeconds(60)));
    }

    private static void assertRefused(JwtVerifier verifier, String token, String why) {
        assertThatThrownBy(() -> verifier.verify(token))
                .as(why)
                .isInstanceOf(GeneralSecurityException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(100));
    }

    @Test
    void signaturesWithPublicKeysAreAccepted() throws Exception {
        JwtVerifier verifier = verifier();
        for (JWSAlgorithm algorithm : List.of(
                JWSAlgorithm.RS256,
                JWSAlgorithm.RS384,
                JWSAlgorithm.RS512,
                JWSAlgorithm.PS256,
                JWSAlgorithm.PS384,
                JWSAlgorithm.PS512,
                JWSAlgorithm.ES256)) {
            VerifiedToken token = verifier.verify(ISSUER.signed(algorithm, claims().build()));
            assertThat(token.subject()).isEqualTo("ann");
            assertThat(token.end()).contains(NOW.plusSeconds(60));
        }
        JWSHeader nameless = new JWSHeader(JWSAlgorithm.RS256);
        assertThat(verifier.verify(ISSUER.signed(nameless, claims().build())).subject())
                .isEqualTo("ann");
    }

    @Test
    void timesAreKept() throws Exception {
        JwtVerifier verifier = verifier();
        String token = ISSUER.signed(
                JWSAlgorithm.RS256,
                claims().notBeforeTime(Date.from(NOW.plusSeconds(61))).build());
        assertRefused(verifier, token, "not yet valid");
        now.set(NOW.plusSeconds(1));
        assertThat(verifier.verify(token).subject()).as("clocks differ").isEqualTo("ann");
        now.set(NOW.plusSeconds(59));
        assertThat(verifier.verify(token).subject()).isEqualTo("ann");
        now.set(NOW.plusSeconds(60));
        assertRefused(verifier, token, "expired");
        String endless = ISSUER.signed(
                JWSAlgorithm.RS256, new JWTClaimsSet.Builder().subject("ann").build());
        assertThat(verifier.verify(endless).end()).as("as in Hive").isEmpty();
        for (String exp : List.of("\"never\"", "true", "[]", "{}")) {
            assertRefused(verifier, rawlySigned("{\"sub\":\"ann\",\"exp\":" + exp + "}"), exp);
        }
    }

    /** Returns a token with a right signature over claims that the library would not write. */
    private static String rawlySigned(String claims) throws JOSEException {
        String text = BASE64.encodeToString("{\"alg\":\"RS256\",\"kid\":\"rsa\"}".getBytes(StandardCharsets.UTF_8))
                + "." + BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        return text + "."
                + new RSASSASigner(ISSUER.rsa)
                        .sign(new JWSHeader(JWSAlgorithm.RS256), text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theSubjectIsTheUser() throws Exception {
        JwtVerifier verifier = verifier();
        for (String subject : new String[] {null, "", " "}) {
            assertRefused(
                    verifier,
                    ISSUER.signed(JWSAlgorithm.RS256, claims().subject(subject).build()),
                    "subject " + subject);
        }
        assertRefused(verifier, rawlySigned("{\"sub\":{\"a\":1}}"), "no text");
        assertRefused(verifier, rawlySigned("[]"), "no claims");
        assertRefused(verifier, rawlySigned("{\"sub\":"), "damaged claims");
    }

    @Test
    void issuerAndAudienceAreThoseOfTheSettings() throws Exception {
        JwtVerifier verifier = verifier(ISSUER.publicKeys(), Optional.of("https://id"), Optional.of("hive"));
        JWTClaimsSet right =
                claims().issuer("https://id").audience(List.of("other", "hive")).build();
        assertThat(verifier.verify(ISSUER.signed(JWSAlgorithm.RS256, right)).subject())
                .isEqualTo("ann");
        for (JWTClaimsSet wrong : List.of(
                claims().build(),
                claims().issuer("https://id").build(),
                claims().audience("hive").build(),
                claims().issuer("https://id").audience("hives").build(),
                claims().issuer("https://other").audience("hive").build())) {
            assertRefused(verifier, ISSUER.signed(JWSAlgorithm.RS256, wrong), wrong.toString());
        }
    }

    @Test
    void foreignKeysAreRefused() throws Exception {
        JwtVerifier verifier = verifier();
        TestingTokens other = new TestingTokens();
        assertRefused(verifier, other.signed(JWSAlgorithm.RS256, claims().build()), "a key of the same name");
        assertRefused(verifier, other.signed(JWSAlgorithm.ES256, claims().build()), "a key of the same name");
        JWSHeader ownKey = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .jwk(other.rsa.toPublicJWK())
                .jwkURL(URI.create("http://127.0.0.1:1/keys"))
                .build();
        assertRefused(verifier, other.signed(ownKey, claims().build()), "a key in the token");
        JWSHeader critical = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa")
                .criticalParams(Set.of("unknown"))
                .customParam("unknown", 1)
                .build();
        assertRefused(verifier, ISSUER.signed(critical, claims().build()), "a header that is not known");
    }

    /** The public key is known to all, so it must not count as a secret. */
    @Test
    void algorithmsWithoutAKeyPairAreRefused() throws Exception {
        JwtVerifier verifier = verifier();
        for (byte[] secret : List.of(
                ISSUER.rsa.toRSAPublicKey().getEncoded(),
                ISSUER.publicKeys().getBytes(StandardCharsets.UTF_8),
                ISSUER.rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8))) {
            for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512)) {
                SignedJWT token = new SignedJWT(
                        new JWSHeader.Builder(algorithm).keyID("rsa").build(), claims().build());
                token.sign(new MACSigner(secret));
                assertRefused(verifier, token.serialize(), algorithm.getName());
            }
        }
        assertRefused(verifier, new PlainJWT(claims().build()).serialize(), "none");
        String[] parts = ISSUER.signed(JWSAlgorithm.RS256, claims().build()).split("\\.", -1);
        for (String algorithm : List.of("none", "None", "NONE", "HS256", "RS512", "ES256", "")) {
            String header = BASE64.encodeToString(("{\"alg\":\"" + algorithm + "\"}").getBytes(StandardCharsets.UTF_8));
            assertRefused(verifier, header + "." + parts[1] + "." + parts[2], algorithm);
            assertRefused(verifier, header + "." + parts[1] + ".", algorithm);
        }
    }

    @Test
    void secretAndShortKeysOfASetAreLeftOut() throws Exception {
        OctetSequenceKey secret =
                new OctetSequenceKeyGenerator(256).keyID("secret").generate();
        RSAKey small = new RSAKeyGenerator(1024, true).keyID("small").generate();
        String both = "{\"keys\":[" + secret.toJSONString() + ","
                + small.toPublicJWK().toJSONString();
        assertThatThrownBy(() -> verifier(both + "]}", Optional.empty(), Optional.empty()))
                .as("nothing is left")
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
        JwtVerifier verifier = verifier(
                both + "," + ISSUER.rsa.toPublicJWK().toJSONString() + "]}", Optional.empty(), Optional.empty());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("secret").build(), claims().build());
        token.sign(new MACSigner(secret));
        assertRefused(verifier, token.serialize(), "a secret key");
        SignedJWT weak = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("small").build(), claims().build());
        weak.sign(new RSASSASigner(small.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance())));
        assertRefused(verifier, weak.serialize(), "a short key");
    }

    @Test
    void noChangedTokenIsAccepted() throws Exception {
        JwtVerifier verifier = verifier();
        String token = ISSUER.signed(JWSAlgorithm.RS256, claims().build());
        // The last character has bits that do not count.
        int end = token.length() - 1;
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 3000; i++) {
            StringBuilder forged = new StringBuilder(token);
            int at = random.nextInt(end);
            switch (random.nextInt(3)) {
                case 0 -> forged.deleteCharAt(at);
                case 1 -> forged.insert(at, "Aa0_-.".charAt(random.nextInt(6)));
                default -> forged.setCharAt(at, token.charAt(at) == 'A' ? 'B' : 'A');
            }
            assertRefused(verifier, forged.toString(), forged.toString());
        }
        for (String damaged :
                List.of("", ".", "..", "a.b.c", "....", "é.é.é", "\0", token + ".", token + "." + token)) {
            assertRefused(verifier, damaged, damaged);
        }
    }

    @Test
    void hugeTokensAreRefused() throws Exception {
        JwtVerifier verifier = verifier();
        String large = ISSUER.signed(
                JWSAlgorithm.RS256, claims().claim("x", "y".repeat(20_000)).build());
        assertRefused(verifier, large, "a right signature");
        assertRefused(verifier, "a".repeat(10_000_000), "characters");
        assertRefused(verifier, ".".repeat(16_000), "parts");
        String nested = BASE64.encodeToString(("{\"alg\":" + "[".repeat(9000)).getBytes(StandardCharsets.UTF_8));
        assertRefused(verifier, nested + ".e30.AAAA", "a deep header");
        assertRefused(verifier, rawlySigned("{\"sub\":" + "[".repeat(9000)), "deep claims");
    }
}
