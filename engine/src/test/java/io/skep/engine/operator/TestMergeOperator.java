package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.exchange.PageInput;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class TestMergeOperator {
    /** An input that ends while the others are looked at has no row to compare. */
    @Test
    void anInputMayEndAtAnyMoment() {
        CompletableFuture<Optional<Batch>> late = new CompletableFuture<>();
        PageInput first = input(() -> late);
        Batch row = Batch.of(1, new LongVector(new long[] {7}, null, 1));
        PageInput second = input(() -> CompletableFuture.completedFuture(
                late.complete(Optional.empty()) ? Optional.of(row) : Optional.empty()));
        try (MergeOperator merge = new MergeOperator(List.of(first, second), List.of(PrimitiveType.INT), List.of())) {
            Batch batch = Objects.requireNonNull(merge.output());
            assertThat(batch.rowCount()).isEqualTo(1);
        }
    }

    private static PageInput input(Supplier<CompletableFuture<Optional<Batch>>> next) {
        return new PageInput() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                return next.get();
            }

            @Override
            public void close() {}
        };
    }
}
