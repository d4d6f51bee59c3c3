package io.skep.authentication.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The token of the header of HTTP's Bearer authentication (RFC 6750). */
record BearerLogin(String token) {
    private static final String SCHEME = "Bearer ";

    /** Returns what the header says; empty without a header and for other schemes. */
    static Optional<BearerLogin> of(@Nullable String header) {
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(new BearerLogin(header.substring(SCHEME.length()).strip()))
                : Optional.empty();
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "BearerLogin";
    }
}
