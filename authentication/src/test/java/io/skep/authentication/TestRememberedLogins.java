package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class TestRememberedLogins {
    private static final String ADDRESS = "192.0.2.1";

    private static final Duration TIME = Duration.ofMinutes(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final AtomicReference<String> right = new AtomicReference<>("secret");
    private final AtomicInteger asked = new AtomicInteger();
    private final RememberedLogins logins = new RememberedLogins(this::verify, TIME, now::get);

    private String verify(String user, String password, String address) throws AuthenticationException {
        asked.incrementAndGet();
        if (!password.equals(right.get())) {
            throw new AuthenticationException("wrong");
        }
        return user.replace("@example.com", "");
    }

    @Test
    void aRightPasswordIsVerifiedOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(logins.verify("ann@example.com", "secret", ADDRESS)).isEqualTo("ann");
        }
        assertThat(asked).hasValue(1);
        now.set(Instant.EPOCH.plus(TIME).minusNanos(1));
        right.set("new");
        assertThat(logins.verify("ann@example.com", "secret", ADDRESS)).isEqualTo("ann");
        now.set(Instant.EPOCH.plus(TIME));
        assertThatThrownBy(() -> logins.verify("ann@example.com", "secret", ADDRESS))
                .isInstanceOf(AuthenticationException.class);
        assertThat(logins.verify("ann@example.com", "new", ADDRESS))
                .as("at once")
                .isEqualTo("ann");
    }

    @Test
    void otherLoginsAreNotTheSame() throws Exception {
        logins.verify("ann", "secret", ADDRESS);
        for (String[] other : new String[][] {
            {"ann", "secre"}, {"ann", ""}, {"ann", "secret "}, {"anns", "ecret"}, {"annsecret", ""}, {"an", "nsecret"}
        }) {
            for (int i = 0; i < 2; i++) {
                int before = asked.get();
                assertThatThrownBy(() -> logins.verify(other[0], other[1], ADDRESS))
                        .isInstanceOf(AuthenticationException.class);
                assertThat(asked).as("a refused login is not remembered").hasValue(before + 1);
            }
        }
        logins.verify("bob", "secret", ADDRESS);
        assertThat(asked).as("another user with this password").hasValue(14);
    }

    @Test
    void theOldestIsForgottenWhenThereAreTooMany() throws Exception {
        for (int i = 0; i <= RememberedLogins.MAX_LOGINS; i++) {
            logins.verify("user" + i, "secret", ADDRESS);
        }
        int before = asked.get();
        logins.verify("user1", "secret", ADDRESS);
        assertThat(asked).hasValue(before);
        logins.verify("user0", "secret", ADDRESS);
        assertThat(asked).hasValue(before + 1);
    }
}
