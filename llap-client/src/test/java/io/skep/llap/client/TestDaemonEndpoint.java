package io.skep.llap.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestDaemonEndpoint {
    @Test
    void hostAndPortAreRead() {
        assertThat(DaemonEndpoint.parse("node1:15001")).isEqualTo(new DaemonEndpoint("node1", 15001));
        assertThat(DaemonEndpoint.parse("[::1]:7")).isEqualTo(new DaemonEndpoint("::1", 7));
        assertThat(DaemonEndpoint.parse("[::1]:7")).hasToString("[::1]:7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node1", ":1", "node1:", "node1:0", "node1:65536", "node1:x"})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> DaemonEndpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host:port");
    }
}
