package io.skep.tez.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.llap.client.PageStream;
import io.skep.tez.wire.PageFrames;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.tez.http.BaseHttpConnection;
import org.apache.tez.runtime.library.common.shuffle.orderedgrouped.ShuffleHeader;
import org.junit.jupiter.api.Test;

final class TestShuffleStream {
    private static final String ATTEMPT = "attempt_1_0001_1_00_000000_0_10001";

    private final Deque<byte[]> answers = new ArrayDeque<>();
    private int open;

    /** Rows in memory. */
    private static final class Rows implements PageStream {
        private final Deque<Batch> batches = new ArrayDeque<>();

        Rows(long... values) {
            for (long value : values) {
                batches.add(Batch.of(1, new LongVector(new long[] {value}, null, 1)));
            }
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            return CompletableFuture.completedFuture(Optional.ofNullable(batches.poll()));
        }

        @Override
        public void close() {}
    }

    private final class Answer extends BaseHttpConnection {
        private final byte[] bytes;

        Answer(byte[] bytes) {
            this.bytes = bytes;
            open++;
        }

        @Override
        public boolean connect() {
            return true;
        }

        @Override
        public void validate() {}

        @Override
        public DataInputStream getInputStream() {
            return new DataInputStream(new ByteArrayInputStream(bytes));
        }

        @Override
        public void cleanup(boolean disconnect) {
            open--;
        }
    }

    private static byte[] answer(int partition, long... values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        new ShuffleHeader(ATTEMPT, 1, 1, partition).write(out);
        PageFrames.writeAll(out, new Rows(values));
        return bytes.toByteArray();
    }

    private ShuffleStream stream() {
        return new ShuffleStream(
                () -> {
                    byte[] answer = answers.poll();
                    if (answer == null) {
                        throw new IOException("nobody is there");
                    }
                    return new Answer(answer);
                },
                ATTEMPT,
                3,
                Runnable::run,
                e -> new SkepException(StandardErrorCode.OUTPUT_LOST, String.valueOf(e.getMessage()), e));
    }

    private static List<Long> read(ShuffleStream stream) {
        List<Long> values = new ArrayList<>();
        Optional<Batch> next = stream.next().join();
        while (next.isPresent()) {
            values.add(((LongVector) next.get().column(0).flatten()).value(0));
            next = stream.next().join();
        }
        return values;
    }

    @Test
    void rowsComeInOrderAndTheConnectionIsClosed() throws IOException {
        answers.add(answer(3, 5, 6, 7));
        assertThat(read(stream())).containsExactly(5L, 6L, 7L);
        assertThat(open).isZero();
    }

    @Test
    void aBrokenConnectionIsMadeAgainAndNothingIsReadTwice() throws IOException {
        byte[] whole = answer(3, 5, 6, 7);
        answers.add(Arrays.copyOf(whole, whole.length - 6));
        answers.add(whole);
        assertThat(read(stream())).containsExactly(5L, 6L, 7L);
        assertThat(open).isZero();
    }

    @Test
    void damageIsNoticed() throws IOException {
        byte[] damaged = answer(3, 5);
        damaged[damaged.length - Integer.BYTES - 1]++;
        answers.add(damaged);
        answers.add(answer(3, 5));
        assertThat(read(stream())).containsExactly(5L);
    }

    @Test
    void whatCannotBeFetchedIsLost() throws IOException {
        answers.add(answer(2, 5));
        ShuffleStream stream = stream();
        assertThatThrownBy(() -> stream.next().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OUTPUT_LOST));
        assertThat(open).isZero();
    }

    @Test
    void aStreamThatIsClosedEarlyLetsGoOfItsConnection() throws IOException {
        answers.add(answer(3, 5, 6));
        ShuffleStream stream = stream();
        assertThat(stream.next().join()).isPresent();
        stream.close();
        assertThat(open).isZero();
    }
}
