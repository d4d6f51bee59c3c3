package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how much of the budget large pages of several streams use, however their readers end. */
class TestRemotePages {
    private static final int LARGE = 2 << 20;

    private final PageBudget budget = new PageBudget(3L * LARGE);
    private final PageReceiver link = new PageReceiver(Runnable::run, budget, TestRemotePages::rows);
    private final RemotePages first = pages(1);
    private final RemotePages second = pages(2);

    private RemotePages pages(long number) {
        return new RemotePages(link, number, 1 << 10, budget, TestRemotePages::rows);
    }

    private static Batch rows(byte[] page) {
        return Batch.of(1, new LongVector(new long[] {page.length}, null, 1));
    }

    @AfterEach
    void nothingIsLeft() {
        first.close();
        second.close();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aPageIsPaidForUntilItsReaderAsksForTheNext() {
        first.arrived(new byte[LARGE]);
        assertThat(budget.reserved()).isEqualTo(2L * LARGE);
        assertThat(first.next().join()).isPresent();
        assertThat(budget.reserved()).isEqualTo(2L * LARGE);
        CompletableFuture<Optional<Batch>> next = first.next();
        assertThat(budget.reserved()).isZero();
        first.arrived(new byte[LARGE]);
        assertThat(next.join()).isPresent();
        assertThat(budget.reserved()).isEqualTo(2L * LARGE);
    }

    @Test
    void smallPagesCostNothing() {
        first.arrived(new byte[1000]);
        assertThat(first.next().join()).isPresent();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void whatFindsNoRoomFailsItsStreamAlone() {
        CompletableFuture<Optional<Batch>> waiting = second.next();
        first.arrived(new byte[LARGE]);
        second.arrived(new byte[LARGE]);
        assertThatThrownBy(waiting::join)
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        second.arrived(new byte[LARGE]);
        assertThat(first.next().join()).isPresent();
        assertThat(budget.reserved()).isEqualTo(2L * LARGE);
    }

    @Test
    void theOnlyPageFindsRoomHoweverLargeItIs() {
        first.arrived(new byte[4 * LARGE]);
        assertThat(first.next().join()).isPresent();
    }

    @Test
    void whatNobodyReadsIsGivenBack() {
        first.arrived(new byte[LARGE]);
        first.finished();
    }
}
