package io.skep.common.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestBatchRows {
    @Test
    void ofFewColumnsAreAsManyAsEver() {
        assertThat(BatchRows.of(List.of())).isEqualTo(Batch.TARGET_ROWS);
        assertThat(BatchRows.of(columns(256, PrimitiveType.STRING))).isEqualTo(Batch.TARGET_ROWS);
    }

    @Test
    void ofManyColumnsStayWithinTheBytes() {
        for (int columns : new int[] {257, 1_000, 4_096, 10_000, 32_768}) {
            int rows = BatchRows.of(columns(columns, PrimitiveType.BIGINT));
            assertThat((long) rows * columns * BatchRows.VALUE_BYTES)
                    .as("%s columns", columns)
                    .isBetween(BatchRows.MAX_BYTES / 2, BatchRows.MAX_BYTES);
            assertThat(Batch.TARGET_ROWS % rows).isZero();
        }
        assertThat(BatchRows.of(columns(1_000_000, PrimitiveType.INT))).isEqualTo(16);
    }

    @Test
    void partsOfNestedTypesCount() {
        StructType struct = new StructType(IntStream.range(0, 1_000)
                .mapToObj(i -> new StructType.Field("f" + i, PrimitiveType.INT))
                .toList());
        assertThat(BatchRows.of(List.of(struct))).isEqualTo(BatchRows.of(columns(1_000, PrimitiveType.INT)));
        assertThat(BatchRows.of(List.of(new ArrayType(struct)))).isLessThan(Batch.TARGET_ROWS);
    }

    private static List<SqlType> columns(int count, SqlType type) {
        return Collections.nCopies(count, type);
    }
}
