package io.skep.engine.function.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares kernels that process eight bytes at a time with code that processes them one by one. */
class TestBytes {
    @Test
    void findsWhatStringsFind() {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            byte[] data = text(random, random.nextInt(70), 3);
            int start = random.nextInt(data.length + 1);
            int end = start + random.nextInt(data.length - start + 1);
            byte[] wanted = text(random, 1 + random.nextInt(12), 3);
            int expected = ascii(data, start, end).indexOf(ascii(wanted, 0, wanted.length));
            assertThat(Bytes.indexOf(data, start, end, wanted))
                    .as("%s in %s", ascii(wanted, 0, wanted.length), ascii(data, start, end))
                    .isEqualTo(expected < 0 ? -1 : start + expected);
        }
    }

    @Test
    void findsBytesOfEveryValue() {
        byte[] data = new byte[256];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
        }
        for (int i = 0; i < data.length; i++) {
            assertThat(Bytes.indexOf(data, 0, data.length, new byte[] {(byte) i}))
                    .isEqualTo(i);
            byte[] pair = {(byte) i, (byte) (i + 1)};
            assertThat(Bytes.indexOf(data, 0, data.length, pair)).isEqualTo(i == 255 ? -1 : i);
        }
    }

    @Test
    void turnsTheLettersOfStrings() {
        Random random = new Random(2);
        for (int round = 0; round < 500; round++) {
            byte[] data = text(random, 200, 128);
            int rows = 20;
            int[] offsets = new int[rows];
            int[] lengths = new int[rows];
            Arrays.setAll(offsets, i -> random.nextInt(200));
            Arrays.setAll(lengths, i -> random.nextInt(200 - offsets[i]));
            Vector[] arguments = {new BytesVector(data, offsets, lengths, null, rows)};
            BytesVector upper = (BytesVector) new LetterCase(true).evaluate(arguments, rows);
            BytesVector lower = (BytesVector) new LetterCase(false).evaluate(arguments, rows);
            for (int i = 0; i < rows; i++) {
                String text = ascii(data, offsets[i], offsets[i] + lengths[i]);
                assertThat(upper.string(i)).isEqualTo(text.toUpperCase(Locale.ROOT));
                assertThat(lower.string(i)).isEqualTo(text.toLowerCase(Locale.ROOT));
            }
        }
    }

    /** Returns random letters out of the first {@code different} ones from 'a' on, or any of 128 characters. */
    private static byte[] text(Random random, int length, int different) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) (different < 128 ? 'a' + random.nextInt(different) : random.nextInt(128));
        }
        return text;
    }

    private static String ascii(byte[] data, int start, int end) {
        return new String(data, start, end - start, StandardCharsets.US_ASCII);
    }
}
