package io.skep.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.InputUse;
import io.skep.engine.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose arrays may be used again. */
final class TestPipeline {
    @Test
    void anOperatorThatSaysNothingKeepsItsInput() {
        assertThat(new Step(null).inputUse()).isEqualTo(InputUse.KEEPS);
    }

    @Test
    void arraysComeBackFromWhatCopies() {
        assertThat(lookedAtOnce(InputUse.COPIES)).hasValue(0);
        assertThat(lookedAtOnce(InputUse.COPIES, InputUse.KEEPS)).hasValue(0);
        assertThat(lookedAtOnce(InputUse.PASSES_ON, InputUse.COPIES)).hasValue(1);
        assertThat(lookedAtOnce(InputUse.PASSES_ON, InputUse.PASSES_ON, InputUse.COPIES, InputUse.PASSES_ON))
                .hasValue(2);
    }

    @Test
    void arraysDoNotComeBackFromWhatKeepsThem() {
        assertThat(lookedAtOnce(InputUse.KEEPS)).isEmpty();
        assertThat(lookedAtOnce(InputUse.KEEPS, InputUse.COPIES)).isEmpty();
        assertThat(lookedAtOnce(InputUse.PASSES_ON, InputUse.KEEPS, InputUse.COPIES))
                .isEmpty();
        assertThat(lookedAtOnce(InputUse.PASSES_ON)).isEmpty();
        assertThat(lookedAtOnce()).isEmpty();
    }

    private static OptionalInt lookedAtOnce(InputUse... uses) {
        List<Operator> operators = new ArrayList<>();
        operators.add(new Step(null));
        for (InputUse use : uses) {
            operators.add(new Step(use));
        }
        return Pipeline.lookedAtOnce(operators);
    }

    private record Step(@Nullable InputUse said) implements Operator {
        @Override
        public OperatorKind kind() {
            return OperatorKind.PROJECT;
        }

        @Override
        public InputUse inputUse() {
            return said == null ? Operator.super.inputUse() : said;
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
