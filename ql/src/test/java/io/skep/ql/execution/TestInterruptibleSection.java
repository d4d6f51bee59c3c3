package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestInterruptibleSection {
    private final InterruptibleSection section = new InterruptibleSection();

    @Test
    void whoIsInItIsInterruptedAndNotWhoHasLeft() {
        section.enter();
        section.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        section.leave();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        section.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptThatWasHeardLeavesNothing() {
        section.enter();
        section.interrupt();
        assertThat(Thread.interrupted()).isTrue();
        section.leave();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptFromElsewhereStays() {
        section.enter();
        Thread.currentThread().interrupt();
        section.interrupt();
        section.leave();
        assertThat(Thread.interrupted()).isTrue();
    }
}
