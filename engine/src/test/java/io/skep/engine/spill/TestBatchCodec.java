package io.skep.engine.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.engine.operator.TestBatches;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestBatchCodec {
    @Test
    void valuesOfEveryTypeComeBack() {
        Random random = new Random(1);
        for (int rows : new int[] {0, 1, 63, 64, 65, 2048}) {
            Batch batch = TestBatches.random(random, TestBatches.ALL_TYPES, rows, 0.2);
            assertSame(BatchCodec.decode(BatchCodec.encode(batch)), batch);
        }
    }

    @Test
    void selectedRowsOfNestedValuesComeBack() {
        Batch batch = TestBatches.random(new Random(2), TestBatches.ALL_TYPES, 100, 0.2);
        Batch selected = batch.select(new int[] {99, 3, 3, 50}, 4);
        assertSame(BatchCodec.decode(BatchCodec.encode(selected)), selected);
    }

    @Test
    void encodingsAreKept() {
        Vector dictionary = TestBatches.texts("a", "b");
        Vector coded = new DictionaryVector(new int[] {1, 0, 0, 1}, dictionary, new long[] {4}, 4);
        Vector constant = new ConstantVector(Datum.ofText("x").toVector(io.skep.common.type.PrimitiveType.STRING), 4);
        Batch batch = Batch.of(4, coded, constant);
        Batch back = BatchCodec.decode(BatchCodec.encode(batch));
        assertThat(back.column(0)).isInstanceOf(DictionaryVector.class);
        assertThat(back.column(1)).isInstanceOf(ConstantVector.class);
        assertSame(back, batch);
    }

    @Test
    void integersOfAllWidthsComeBack() {
        for (long range : new long[] {0, 1, 255, 256, 65535, 65536, (1L << 32) - 1, 1L << 32, Long.MAX_VALUE, -1}) {
            Batch batch = Batch.of(3, TestBatches.longs(Long.MIN_VALUE, Long.MIN_VALUE + range, Long.MIN_VALUE));
            assertSame(BatchCodec.decode(BatchCodec.encode(batch)), batch);
        }
    }

    /** A few bytes that claim a number of rows do not cause memory to be allocated for them. */
    @Test
    void rowsWithoutBytesAreBelievedUpToANumber() {
        byte[] few = BatchCodec.encode(Batch.of(3, TestBatches.longs(7, 7, 7)));
        for (int at = 0; at + Integer.BYTES <= few.length; at++) {
            byte[] claims = few.clone();
            ByteBuffer.wrap(claims).order(ByteOrder.LITTLE_ENDIAN).putInt(at, Integer.MAX_VALUE - 8);
            assertThatCode(() -> {
                        try {
                            var _ = BatchCodec.decode(claims);
                        } catch (SkepException e) {
                            assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE);
                        }
                    })
                    .doesNotThrowAnyException();
        }
        long[] same = new long[VectorReader.MAX_WITHOUT_BYTES + 1];
        Batch many = Batch.of(same.length, TestBatches.longs(same));
        assertSame(BatchCodec.decode(BatchCodec.encode(many)), many);
    }

    @Test
    void damagedBytesAreAnError() {
        byte[] bytes = BatchCodec.encode(Batch.of(3, TestBatches.longs(1, 1000, 3), TestBatches.texts("a", "b", "c")));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> BatchCodec.decode(cut)).isInstanceOf(SkepException.class);
        }
    }

    /** Equal integers use no bytes, so their number is only a claim. */
    @Test
    void aClaimedNumberOfRowsTakesNoMemory() {
        byte[] bytes = BatchCodec.encode(Batch.of(3, TestBatches.longs(7, 7, 7)));
        ByteBuffer claiming = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at : new int[] {1, 10}) {
            assertThat(claiming.getInt(at)).isEqualTo(3);
            claiming.putInt(at, Integer.MAX_VALUE);
        }
        assertThatThrownBy(() -> BatchCodec.decode(bytes))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    private static void assertSame(Batch actual, Batch expected) {
        assertThat(TestBatches.rows(actual)).isEqualTo(TestBatches.rows(expected));
    }
}
