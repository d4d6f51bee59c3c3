package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestUserFileAuthenticator {
    private static final String ADDRESS = "192.0.2.1";

    private static boolean accepts(PasswordAuthenticator authenticator, String user, String password) {
        try {
            authenticator.verify(user, password, ADDRESS);
            return true;
        } catch (AuthenticationException e) {
            return false;
        }
    }

    @Test
    void passwordsAreThoseOfTheFileAtEachLogin(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("users");
        assertThatThrownBy(() -> UserFileAuthenticator.open(path))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("cannot be read");
        UserFile file = new UserFile(path);
        file.change(users -> users.put("ann", PasswordHash.of("secret")));
        PasswordAuthenticator authenticator = UserFileAuthenticator.open(path);
        assertThat(accepts(authenticator, "ann", "secret")).isTrue();
        assertThat(accepts(authenticator, "ann", "wrong")).isFalse();
        assertThat(accepts(authenticator, "ann", "")).isFalse();
        assertThat(accepts(authenticator, "Ann", "secret")).isFalse();
        assertThat(accepts(authenticator, "bob", "secret")).isFalse();
        // The hash that unknown users are compared with opens nothing.
        assertThat(accepts(authenticator, "bob", "nobody")).isFalse();
        file.change(users -> users.put("ann", PasswordHash.of("other")));
        assertThat(accepts(authenticator, "ann", "secret")).isFalse();
        assertThat(accepts(authenticator, "ann", "other")).isTrue();
        file.change(users -> users.remove("ann"));
        assertThat(accepts(authenticator, "ann", "other")).isFalse();
        Files.delete(path);
        assertThatThrownBy(() -> authenticator.verify("ann", "other", ADDRESS))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("cannot be read");
    }
}
