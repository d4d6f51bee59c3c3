package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TestLoginLimit {
    private final AtomicInteger verifying = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CyclicBarrier pair = new CyclicBarrier(2);

    @Test
    void noMoreLoginsThanAllowedAreVerifiedAtATime() throws Exception {
        LoginLimit limit = new LoginLimit(this::verify, 2, Duration.ofMinutes(1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> logins = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String user = "user" + i;
                logins.add(threads.submit(() -> limit.verify(user, "secret")));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(logins.get(i).get()).isEqualTo("user" + i);
            }
        }
        assertThat(most).hasValue(2);
    }

    /** Waits for a second login that is verified at the same time. */
    private String verify(String user, String password) throws AuthenticationException {
        most.accumulateAndGet(verifying.incrementAndGet(), Math::max);
        try {
            pair.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AuthenticationException("the test was stopped", e);
        } finally {
            verifying.decrementAndGet();
        }
        return user;
    }

    @Test
    void aLoginThatWaitsTooLongIsRefusedAndRefusalsTakeNoPlace() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        LoginLimit limit = new LoginLimit(
                (user, password) -> {
                    if (password.equals("slow")) {
                        begun.countDown();
                        awaitUnchecked(end);
                    } else if (password.equals("wrong")) {
                        throw new AuthenticationException("wrong");
                    }
                    return user;
                },
                1,
                Duration.ofMillis(50));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> slow = threads.submit(() -> limit.verify("ann", "slow"));
            begun.await();
            assertThatThrownBy(() -> limit.verify("bob", "secret"))
                    .isInstanceOf(AuthenticationException.class)
                    .hasMessageContaining("too many logins");
            end.countDown();
            assertThat(slow.get()).isEqualTo("ann");
        }
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> limit.verify("bob", "wrong")).hasMessage("wrong");
        }
        assertThat(limit.verify("bob", "secret")).isEqualTo("bob");
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
