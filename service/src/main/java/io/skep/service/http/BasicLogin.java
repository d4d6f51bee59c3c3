package io.skep.service.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The header of HTTP's Basic authentication (RFC 7617). The password in it is not looked at. */
final class BasicLogin {
    private static final String SCHEME = "Basic ";

    private BasicLogin() {}

    /** Returns the user that the header names; empty without a header, for other schemes and for damaged ones. */
    static Optional<String> user(@Nullable String header) {
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String text = new String(decoded, StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            return colon <= 0 ? Optional.empty() : Optional.of(text.substring(0, colon));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
