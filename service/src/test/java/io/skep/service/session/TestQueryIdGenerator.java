package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class TestQueryIdGenerator {
    private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));

    @Test
    void sayWhenTheServerStarted() {
        QueryIdGenerator names = new QueryIdGenerator(clock);
        assertThat(names.next().value()).matches("skep_20260102030405678_[0-9a-f]{8}_1");
        assertThat(names.next().value()).endsWith("_2");
    }

    /** Tests two servers, or one server whose clock was set back. */
    @Test
    void startsOfOneTimeHaveOtherNames() {
        assertThat(new QueryIdGenerator(clock).next()).isNotEqualTo(new QueryIdGenerator(clock).next());
    }
}
