package io.skep.service.wire;

import java.time.Duration;

/** Memory that all connections share. */
record WireMemory(BufferPool buffers, RequestBudget requests, AnswerBudget answers) {
    /** Of a client that waits for a page of its result. */
    private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(2);

    static WireMemory of(ThriftConfig terms) {
        return new WireMemory(
                new BufferPool(),
                new RequestBudget(terms.requestMemory()),
                new AnswerBudget(terms.answerMemory(), ANSWER_PATIENCE));
    }
}
