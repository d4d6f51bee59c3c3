package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import org.junit.jupiter.api.Test;

final class TestConstraintCheck {
    private static final LongVector VALUES = new LongVector(new long[] {5, 6, 7}, null, 3);

    private static Vector check(LongVector held) {
        return new ConstraintCheck("c of t").evaluate(new Vector[] {VALUES, held}, held.length());
    }

    @Test
    void givesTheValuesWhereAllRowsHold() {
        assertThat(check(new LongVector(new long[] {1, 1, 1}, null, 3))).isSameAs(VALUES);
    }

    @Test
    void whatIsUnknownHolds() {
        assertThat(check(new LongVector(new long[] {1, 0, 1}, new long[] {0b010}, 3)))
                .isSameAs(VALUES);
    }

    @Test
    void oneFalseRowFails() {
        assertThatThrownBy(() -> check(new LongVector(new long[] {1, 0, 1}, null, 3)))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CONSTRAINT_VIOLATED))
                .hasMessageContaining("c of t");
    }
}
