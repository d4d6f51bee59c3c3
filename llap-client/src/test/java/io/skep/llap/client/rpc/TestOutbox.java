package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestOutbox {
    private final List<List<Integer>> messages = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean ready = true;

    private final Outbox<Integer> outbox =
            new Outbox<>(Runnable::run, () -> ready, frame -> 100 << 10, this::send, failures::add);

    private void send(List<Integer> frames) {
        if (frames.contains(13)) {
            throw new OutOfMemoryError("no room for 13");
        }
        messages.add(frames);
    }

    @Test
    void framesWaitUntilTheStreamIsReadyAndGoInMessagesOfBoundedSize() {
        ready = false;
        for (int frame = 1; frame <= 5; frame++) {
            outbox.add(frame);
        }
        assertThat(messages).isEmpty();
        ready = true;
        outbox.flush();
        assertThat(messages).containsExactly(List.of(1, 2, 3), List.of(4, 5));
        assertThat(failures).isEmpty();
    }

    @Test
    void afterAMessageThatCannotBeSentNoneIsAndItIsSaidOnce() {
        outbox.add(1);
        outbox.add(13);
        outbox.add(2);
        outbox.flush();
        assertThat(messages).containsExactly(List.of(1));
        assertThat(failures).singleElement().isInstanceOf(OutOfMemoryError.class);
    }
}
