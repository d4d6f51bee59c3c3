package io.skep.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestCloser {
    private final List<String> ended = new ArrayList<>();
    private final Closer parts = new Closer();

    private AutoCloseable part(String name) {
        return () -> ended.add(name);
    }

    private AutoCloseable failing(String name) {
        return () -> {
            ended.add(name);
            throw new IllegalStateException(name);
        };
    }

    @Test
    void partsEndInTheReverseOrderAndOnce() {
        AutoCloseable first = part("first");
        assertThat(parts.own(first)).isSameAs(first);
        parts.own(part("second"));
        parts.close();
        parts.close();
        assertThat(ended).containsExactly("second", "first");
    }

    @Test
    void allEndWhereSomeFail() {
        parts.own(part("first"));
        parts.own(failing("second"));
        parts.own(failing("third"));
        assertThatThrownBy(parts::close)
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("third")
                .extracting(failure -> ((SkepException) failure).code())
                .isEqualTo(StandardErrorCode.INTERNAL_ERROR);
        assertThat(ended).containsExactly("third", "second", "first");
    }

    @Test
    void aFailedStartIsToldFirst() {
        parts.own(part("first"));
        parts.own(failing("second"));
        IllegalStateException start = new IllegalStateException("no start");
        parts.closeAfter(start);
        assertThat(start.getSuppressed())
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("second"));
        assertThat(ended).containsExactly("second", "first");
    }
}
