package io.skep.authentication.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** User and password of the header of HTTP's Basic authentication (RFC 7617). */
record BasicLogin(String user, String password) {
    private static final String SCHEME = "Basic ";

    /** Returns what the header says; empty without a header, for other schemes and for damaged ones. */
    static Optional<BasicLogin> of(@Nullable String header) {
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String text = new String(decoded, StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            return colon <= 0
                    ? Optional.empty()
                    : Optional.of(new BasicLogin(text.substring(0, colon), text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "BasicLogin[" + user + "]";
    }
}
