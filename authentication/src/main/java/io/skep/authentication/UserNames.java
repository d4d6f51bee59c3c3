package io.skep.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Validates user names. Names appear in logs and on pages, so they must be short and have a single line. */
public final class UserNames {
    public static final int MAX_BYTES = 256;

    private UserNames() {}

    /** Returns the problem with a name, if any. */
    public static Optional<String> problem(String name) {
        if (name.length() > MAX_BYTES || name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return Optional.of("a user name has at most " + MAX_BYTES + " bytes");
        }
        boolean printable = name.codePoints().noneMatch(UserNames::isControl);
        return printable ? Optional.empty() : Optional.of("a user name has no control characters");
    }

    private static boolean isControl(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** @throws SkepException INVALID_ARGUMENT */
    public static String checked(String name) {
        problem(name).ifPresent(what -> {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, what);
        });
        return name;
    }
}
