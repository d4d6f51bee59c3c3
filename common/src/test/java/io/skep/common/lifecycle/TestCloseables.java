package io.skep.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestCloseables {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable failing(String name, Exception failure) {
        return () -> {
            closed.add(name);
            throw failure;
        };
    }

    @Test
    void allAreClosedAndTheFirstFailureIsThrown() {
        IllegalArgumentException first = new IllegalArgumentException("first");
        List<AutoCloseable> resources =
                List.of(failing("a", first), () -> closed.add("b"), failing("c", new IOException("second")));
        assertThatThrownBy(() -> Closeables.closeAll(resources)).isSameAs(first);
        assertThat(closed).containsExactly("a", "b", "c");
        assertThat(first.getSuppressed())
                .singleElement()
                .satisfies(e ->
                        assertThat(e).isInstanceOf(IllegalStateException.class).hasCauseInstanceOf(IOException.class));
    }
}
