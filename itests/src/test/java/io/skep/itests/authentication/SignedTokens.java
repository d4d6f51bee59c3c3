package io.skep.itests.authentication;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;

/** An issuer of tokens, made with the JDK alone. */
final class SignedTokens {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final KeyPair keys;

    SignedTokens() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
    }

    /** Returns the public key as a set (RFC 7517). */
    String keySet() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\""
                + number(key.getModulus()) + "\",\"e\":\"" + number(key.getPublicExponent()) + "\"}]}";
    }

    private static String number(BigInteger value) {
        byte[] bytes = value.toByteArray();
        int zeros = bytes[0] == 0 ? 1 : 0;
        return BASE64.encodeToString(java.util.Arrays.copyOfRange(bytes, zeros, bytes.length));
    }

    /** Returns a token (RFC 7515, RFC 7519). */
    String token(String user, Instant end) throws GeneralSecurityException {
        String text = part("{\"alg\":\"RS256\",\"kid\":\"one\"}") + "."
                + part("{\"sub\":\"" + user + "\",\"exp\":" + end.getEpochSecond() + "}");
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(text.getBytes(StandardCharsets.US_ASCII));
        return text + "." + BASE64.encodeToString(signature.sign());
    }

    private static String part(String json) {
        return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
