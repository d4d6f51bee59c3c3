package io.skep.storage.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.storage.file.RecordLimit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestLines {
    private static final int LONGEST = 1 << 20;

    /** Returns a few bytes at a time, so that terminators are cut in two. */
    private static final class Trickle implements Lines.Bytes {
        private final byte[] content;
        private final Random random;
        private final int most;
        private int position;

        Trickle(byte[] content, int from, int most, Random random) {
            this.content = content;
            this.position = from;
            this.most = most;
            this.random = random;
        }

        @Override
        public int read(byte[] buffer, int from, int count) {
            int ready = Math.min(Math.min(count, 1 + random.nextInt(most)), content.length - position);
            if (ready <= 0) {
                return -1;
            }
            System.arraycopy(content, position, buffer, from, ready);
            position += ready;
            return ready;
        }

        @Override
        public void close() {}
    }

    private static List<String> read(Lines lines) {
        List<String> found = new ArrayList<>();
        while (lines.next()) {
            found.add(new String(lines.data(), lines.start(), lines.length(), StandardCharsets.UTF_8));
        }
        return found;
    }

    /** Reads ranges that begin anywhere, as {@link TextRowGroupReader} cuts them: each starts one byte earlier. */
    @ParameterizedTest
    @ValueSource(strings = {"a\n", "a\r", "\n\r", "aaaaaaaa\r\n"})
    void anyCutGivesEachLineOnce(String letters) {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            byte[] content = new byte[1 + random.nextInt(60)];
            for (int i = 0; i < content.length; i++) {
                content[i] = (byte) letters.charAt(random.nextInt(letters.length()));
            }
            List<String> whole = read(
                    new Lines(new Trickle(content, 0, 3, random), 0, content.length, false, new RecordLimit(LONGEST)));
            List<String> found = new ArrayList<>();
            int size = 1 + random.nextInt(content.length);
            for (int offset = 0; offset < content.length; offset += size) {
                int from = Math.max(0, offset - 1);
                int end = Math.min(content.length, offset + size);
                found.addAll(read(new Lines(
                        new Trickle(content, from, 3, random),
                        from,
                        end - from,
                        offset > 0,
                        new RecordLimit(LONGEST))));
            }
            assertThat(found)
                    .as("%s in ranges of %d", new String(content, StandardCharsets.UTF_8), size)
                    .isEqualTo(whole);
        }
    }

    /** Otherwise a file with one long line would be read once for each of its ranges, each time up to its end. */
    @Test
    void theRestOfALongLineIsNeitherKeptNorReadBehindTheLimit() {
        byte[] content = new byte[4 * LONGEST];
        Trickle bytes = new Trickle(content, 0, LONGEST, new Random(1));
        Lines lines = new Lines(bytes, 0, 2 * LONGEST, true, new RecordLimit(LONGEST));
        assertThat(read(lines)).isEmpty();
        assertThat(bytes.position).isLessThan(3 * LONGEST);
        assertThat(lines.data().length).isLessThan(LONGEST);
    }
}
