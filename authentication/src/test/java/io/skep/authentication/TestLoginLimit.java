package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class TestLoginLimit {
    private static final String ADDRESS = "192.0.2.1";

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
                logins.add(threads.submit(() -> limit.verify(user, "secret", ADDRESS)));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(logins.get(i).get()).isEqualTo("user" + i);
            }
        }
        assertThat(most).hasValue(2);
    }

    /** Waits for a second login that is verified at the same time. */
    private String verify(String user, String password, String address) throws AuthenticationException {
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
                (user, password, address) -> {
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
            Future<String> slow = threads.submit(() -> limit.verify("ann", "slow", ADDRESS));
            begun.await();
            assertThatThrownBy(() -> limit.verify("bob", "secret", ADDRESS))
                    .isInstanceOf(AuthenticationException.class)
                    .hasMessageContaining("too many logins");
            end.countDown();
            assertThat(slow.get()).isEqualTo("ann");
        }
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> limit.verify("bob", "wrong", ADDRESS)).hasMessage("wrong");
        }
        assertThat(limit.verify("bob", "secret", ADDRESS)).isEqualTo("bob");
    }

    @Test
    void networksTakeTurns() throws Exception {
        List<String> verified = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch end = new CountDownLatch(1);
        LoginLimit limit = new LoginLimit(
                (user, password, address) -> {
                    awaitUnchecked(end);
                    verified.add(user);
                    return user;
                },
                1,
                Duration.ofMinutes(1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                String address = "2001:db8:0:1:0:0:0:" + i;
                var _ = threads.submit(() -> limit.verify("many", "wrong", address));
                awaitCount(limit, i + 1);
            }
            var _ = threads.submit(() -> limit.verify("ann", "secret", ADDRESS));
            awaitCount(limit, 101);
            var _ = threads.submit(() -> limit.verify("bob", "secret", "2001:db8:0:2:0:0:0:1"));
            awaitCount(limit, 102);
            end.countDown();
        }
        // The first one was being verified, and the network of many had its turn before that of ann.
        assertThat(verified).hasSize(102).startsWith("many", "many", "ann", "bob", "many");
    }

    private static void awaitCount(LoginLimit limit, int count) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> limit.count() == count);
    }

    @Test
    void networksAreAddressesOrTheFirstHalfOfThem() {
        assertThat(LoginLimit.network("192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(LoginLimit.network("2001:db8:0:1:2:3:4:5")).isEqualTo("2001:db8:0:1:");
        assertThat(LoginLimit.network("fe80:0:0:0:2:3:4:5%eth0")).isEqualTo("fe80:0:0:0:");
    }

    @Test
    void loginsThatGiveUpLeaveNothing() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        LoginLimit limit = new LoginLimit(
                (user, password, address) -> {
                    begun.countDown();
                    awaitUnchecked(end);
                    return user;
                },
                1,
                Duration.ofMinutes(1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> limit.verify("ann", "secret", ADDRESS));
            begun.await();
            Thread second = Thread.ofVirtual()
                    .start(() -> assertThatThrownBy(() -> limit.verify("bob", "secret", ADDRESS))
                            .hasMessage("interrupted"));
            awaitCount(limit, 2);
            second.interrupt();
            second.join();
            assertThat(limit.count()).isEqualTo(1);
            end.countDown();
            assertThat(first.get()).isEqualTo("ann");
        }
        assertThat(limit.count()).isZero();
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
