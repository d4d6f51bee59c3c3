package io.skep.common.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import org.junit.jupiter.api.Test;

class TestVectorAppender {
    @Test
    void nullsMayComeLateAndFarApart() {
        VectorAppender appender = VectorAppender.of(PrimitiveType.BIGINT);
        for (int row = 0; row < 1000; row++) {
            if (row == 3 || row == 900) {
                appender.appendNull();
            } else {
                appender.appendLong(row);
            }
        }
        Vector built = appender.build();
        assertThat(NullMask.count(built.nulls(), 1000)).isEqualTo(2);
        assertThat(built.isNull(3)).isTrue();
        assertThat(built.isNull(900)).isTrue();
    }
}
