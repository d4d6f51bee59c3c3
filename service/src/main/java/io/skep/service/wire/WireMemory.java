package io.skep.service.wire;

import java.time.Duration;

/** The memory that all connections share. */
record WireMemory(BufferPool buffers, RequestBudget requests, AnswerBudget answers) {
    /** How long a client waits for a page of its result. */
    private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(2);

    static WireMemory of(ThriftConfig config) {
        return new WireMemory(
                new BufferPool(),
                new RequestBudget(config.requestMemory()),
                new AnswerBudget(config.answerMemory(), ANSWER_PATIENCE));
    }
}
