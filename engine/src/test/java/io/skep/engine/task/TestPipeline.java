package io.skep.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.InputRetention;
import io.skep.engine.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which operators allow arrays to be reused. */
final class TestPipeline {
    @Test
    void anOperatorThatSaysNothingKeepsItsInput() {
        assertThat(new Step(null).inputRetention()).isEqualTo(InputRetention.RETAINS_INPUT);
    }

    @Test
    void arraysComeBackFromWhatCopies() {
        assertThat(lookedAtOnce(InputRetention.COPIES)).hasValue(0);
        assertThat(lookedAtOnce(InputRetention.COPIES, InputRetention.RETAINS_INPUT))
                .hasValue(0);
        assertThat(lookedAtOnce(InputRetention.PASSES_ON, InputRetention.COPIES))
                .hasValue(1);
        assertThat(lookedAtOnce(
                        InputRetention.PASSES_ON,
                        InputRetention.PASSES_ON,
                        InputRetention.COPIES,
                        InputRetention.PASSES_ON))
                .hasValue(2);
    }

    @Test
    void arraysDoNotComeBackFromWhatKeepsThem() {
        assertThat(lookedAtOnce(InputRetention.RETAINS_INPUT)).isEmpty();
        assertThat(lookedAtOnce(InputRetention.RETAINS_INPUT, InputRetention.COPIES))
                .isEmpty();
        assertThat(lookedAtOnce(InputRetention.PASSES_ON, InputRetention.RETAINS_INPUT, InputRetention.COPIES))
                .isEmpty();
        assertThat(lookedAtOnce(InputRetention.PASSES_ON)).isEmpty();
        assertThat(lookedAtOnce()).isEmpty();
    }

    private static OptionalInt lookedAtOnce(InputRetention... uses) {
        List<Operator> operators = new ArrayList<>();
        operators.add(new Step(null));
        for (InputRetention use : uses) {
            operators.add(new Step(use));
        }
        return Pipeline.batchesInUse(operators);
    }

    private record Step(@Nullable InputRetention said) implements Operator {
        @Override
        public OperatorKind kind() {
            return OperatorKind.PROJECT;
        }

        @Override
        public InputRetention inputRetention() {
            return said == null ? Operator.super.inputRetention() : said;
        }

        @Override
        public boolean needsInput() {
            return false;
        }

        @Override
        public void add(Batch batch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Batch output() {
            return null;
        }

        @Override
        public void finish() {}

        @Override
        public boolean finished() {
            return true;
        }
    }
}
