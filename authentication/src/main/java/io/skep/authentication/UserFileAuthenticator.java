package io.skep.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;

/**
 * Verifies passwords by a {@link UserFile}, which is read for each login, so that changes are effective immediately.
 * Hashing takes processor time, so at most half of the processors do it at a time.
 */
final class UserFileAuthenticator implements PasswordAuthenticator {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** What the password of an unknown user is compared with, so that the time of the answer does not tell. */
    private final String nobody = PasswordHash.of("nobody");

    private final UserFile file;

    private UserFileAuthenticator(UserFile file) {
        this.file = file;
    }

    /** @throws SkepException INVALID_CONFIGURATION when the file cannot be used */
    static PasswordAuthenticator open(Path path) {
        UserFile file = new UserFile(path);
        try {
            file.read();
        } catch (IOException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "the file of users " + path + " cannot be read: " + e.getMessage(),
                            e)
                    .withHint("bin/skep user add NAME --file " + path + " creates it");
        }
        int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new LoginLimit(new UserFileAuthenticator(file), half, PATIENCE);
    }

    @Override
    public String verify(String user, String password, String address) throws AuthenticationException {
        String hash;
        try {
            SortedMap<String, String> users = file.read();
            hash = users.getOrDefault(user, nobody);
        } catch (IOException | SkepException e) {
            throw new AuthenticationException("the file of users cannot be read: " + e.getMessage(), e);
        }
        if (!PasswordHash.matches(password, hash) || hash.equals(nobody)) {
            throw new AuthenticationException("unknown user or wrong password");
        }
        return user;
    }
}
