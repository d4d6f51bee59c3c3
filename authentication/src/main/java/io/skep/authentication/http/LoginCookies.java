package io.skep.authentication.http;

import io.skep.authentication.ProcessKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Cookies that stand for a login: the time of their end and the user's name, with an HMAC of the text of both. The key
 * is random and belongs to this process, so a cookie is worth nothing to other servers and after a restart.
 * Thread-safe.
 */
public final class LoginCookies {
    /** Hive's name for cookies of its HTTP transport, which its driver looks for. */
    public static final String OF_HIVE = "hive.server2.auth";

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final String name;
    private final ProcessKey key = new ProcessKey();
    private final InstantSource clock;

    /**
     * @param name of the cookie
     * @param clock measures the age; the time that it starts with does not matter
     */
    public LoginCookies(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
    }

    /** Returns the value of a new cookie, which expires after that age. */
    public String issue(String user, Duration age) {
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        byte[] content = ByteBuffer.allocate(Long.BYTES + name.length)
                .putLong(clock.instant().plus(age).toEpochMilli())
                .put(name)
                .array();
        String text = ENCODER.encodeToString(content);
        return text + "." + signature(text);
    }

    /** Returns the user that a cookie was issued to, if this process has issued it and it has not expired. */
    public Optional<String> user(String value) {
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

    /** Returns the user of a valid cookie among those of a request. */
    public Optional<String> user(HttpFields headers) {
        // The header is read here because cookies of others in it may break the rules of a parser.
        for (HttpField field : headers.getFields(HttpHeader.COOKIE)) {
            Optional<String> user = ofHeader(field.getValue());
            if (user.isPresent()) {
                return user;
            }
        }
        return Optional.empty();
    }

    /** Returns the user of a valid cookie in the value of the header {@code Cookie}, which may be absent. */
    public Optional<String> ofHeader(@Nullable String value) {
        for (String pair : (value == null ? "" : value).split(";", -1)) {
            String[] parts = pair.strip().split("=", 2);
            if (parts.length == 2 && parts[0].equals(name)) {
                Optional<String> user = user(parts[1].replace("\"", ""));
                if (user.isPresent()) {
                    return user;
                }
            }
        }
        return Optional.empty();
    }

    private String signature(String text) {
        return ENCODER.encodeToString(key.sign(bytes(text)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
