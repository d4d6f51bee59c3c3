package io.skep.service.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cookies that stand for a login: the time of their end and the user's name, with an HMAC of the text of both. The key
 * is random and belongs to this process, so a cookie is worth nothing to other servers and after a restart.
 * Thread-safe.
 */
final class LoginCookies {
    /** Hive's name, which its driver looks for. */
    static final String NAME = "hive.server2.auth";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final SecretKeySpec key;
    private final Duration age;
    private final InstantSource clock;

    /** @param clock measures the age; the time that it starts with does not matter */
    LoginCookies(Duration age, InstantSource clock) {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, ALGORITHM);
        this.age = age;
        this.clock = clock;
    }

    /** Returns the value of a new cookie. */
    String issue(String user) {
        return issue(user, age);
    }

    /** Returns the value of a new cookie of an age of its own. */
    String issue(String user, Duration age) {
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        byte[] content = ByteBuffer.allocate(Long.BYTES + name.length)
                .putLong(clock.instant().plus(age).toEpochMilli())
                .put(name)
                .array();
        String text = ENCODER.encodeToString(content);
        return text + "." + signature(text);
    }

    /** Returns the user that a cookie was issued to, if this process has issued it and it has not expired. */
    Optional<String> user(String value) {
        int dot = value.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        String text = value.substring(0, dot);
        if (!MessageDigest.isEqual(bytes(signature(text)), bytes(value.substring(dot + 1)))) {
            return Optional.empty();
        }
        ByteBuffer signed = ByteBuffer.wrap(DECODER.decode(text));
        boolean valid = clock.millis() < signed.getLong();
        return valid ? Optional.of(StandardCharsets.UTF_8.decode(signed).toString()) : Optional.empty();
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return ENCODER.encodeToString(mac.doFinal(bytes(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
