package io.skep.authentication.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class TestLoginCookies {
    private static final Duration AGE = Duration.ofMinutes(10);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final LoginCookies cookies = new LoginCookies("c", now::get);

    @Test
    void cookiesStandForTheirUserUntilTheyExpire() {
        String cookie = cookies.issue("änn;=,\" x", AGE);
        assertThat(cookie).matches("[A-Za-z0-9_.-]+");
        now.set(Instant.EPOCH.plus(AGE).minusMillis(1));
        assertThat(cookies.user(cookie)).hasValue("änn;=,\" x");
        now.set(Instant.EPOCH.plus(AGE));
        assertThat(cookies.user(cookie)).isEmpty();
    }

    @Test
    void aCookieMayEndEarlier() {
        String cookie = cookies.issue("ann", Duration.ofSeconds(1));
        now.set(Instant.EPOCH.plusMillis(999));
        assertThat(cookies.user(cookie)).hasValue("ann");
        now.set(Instant.EPOCH.plusSeconds(1));
        assertThat(cookies.user(cookie)).isEmpty();
    }

    @Test
    void cookiesOfOtherProcessesAreWorthNothing() {
        assertThat(new LoginCookies("c", now::get).user(cookies.issue("ann", AGE)))
                .isEmpty();
    }

    @Test
    void noChangedCookieIsAccepted() {
        String cookie = cookies.issue("ann", AGE);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder forged = new StringBuilder(cookie);
            switch (random.nextInt(3)) {
                case 0 -> forged.deleteCharAt(random.nextInt(cookie.length()));
                case 1 -> forged.insert(random.nextInt(cookie.length()), "A.=-_%".charAt(random.nextInt(6)));
                default -> {
                    int at = random.nextInt(cookie.length());
                    forged.setCharAt(at, cookie.charAt(at) == 'A' ? 'B' : 'A');
                }
            }
            assertThat(cookies.user(forged.toString())).as("%s", forged).isEmpty();
        }
        String other = cookies.issue("bob", AGE);
        String mixed = other.substring(0, other.indexOf('.')) + cookie.substring(cookie.indexOf('.'));
        for (String forged : new String[] {"", ".", "..", mixed, cookie.substring(0, cookie.indexOf('.') + 1)}) {
            assertThat(cookies.user(forged)).isEmpty();
        }
    }
}
