package io.skep.authentication;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Hashes of passwords by bcrypt. */
public final class PasswordHash {
    /** bcrypt reads no more of a password. */
    private static final int MAX_BYTES = 72;

    private static final int COST = 10;

    private PasswordHash() {}

    /** Returns why a password cannot be hashed, if so. */
    public static Optional<String> problem(String password) {
        if (password.isEmpty()) {
            return Optional.of("a password is not empty");
        }
        return bytes(password).length > MAX_BYTES || password.indexOf('\0') >= 0
                ? Optional.of("a password has at most " + MAX_BYTES + " bytes, and none of them is 0")
                : Optional.empty();
    }

    /** @param password without a {@link #problem} */
    public static String of(String password) {
        return new String(BCrypt.with(BCrypt.Version.VERSION_2Y).hash(COST, bytes(password)), StandardCharsets.UTF_8);
    }

    /** Whether the hash is that of the password. At the cost of 10, this takes almost a tenth of a second. */
    static boolean matches(String password, String hash) {
        return problem(password).isEmpty() && BCrypt.verifyer().verify(bytes(password), bytes(hash)).verified;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
