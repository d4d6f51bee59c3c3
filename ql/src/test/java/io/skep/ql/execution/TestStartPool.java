package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TestStartPool {
    private static final int MAX_THREADS = 256;

    private final StartPool pool = new StartPool();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @Test
    void startsThatHangAreNotMoreThanMayBe() throws Exception {
        CountDownLatch reached = new CountDownLatch(MAX_THREADS);
        CountDownLatch hanging = new CountDownLatch(1);
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (int i = 0; i < 2 * MAX_THREADS; i++) {
            starts.add(CompletableFuture.runAsync(
                    () -> {
                        threads.add(Thread.currentThread());
                        reached.countDown();
                        await(hanging);
                    },
                    pool));
        }
        reached.await();
        assertThat(starts).noneMatch(CompletableFuture::isDone);
        hanging.countDown();
        starts.forEach(CompletableFuture::join);
        assertThat(threads).hasSize(MAX_THREADS).allMatch(thread -> !thread.isVirtual() && thread.isDaemon());
    }

    @Test
    void whatComesOneByOneUsesFewThreads() {
        for (int i = 0; i < 1000; i++) {
            CompletableFuture.runAsync(() -> threads.add(Thread.currentThread()), pool)
                    .join();
        }
        // A thread reports the end of its work before it waits for the next start.
        assertThat(threads).hasSizeLessThan(MAX_THREADS / 4);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
