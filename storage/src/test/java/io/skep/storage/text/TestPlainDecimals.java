package io.skep.storage.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.table.TableFormat;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that the fast path for decimals returns the same values as Hive's class. */
class TestPlainDecimals {
    private static final List<DecimalType> TYPES = List.of(
            new DecimalType(18, 4),
            new DecimalType(18, 18),
            new DecimalType(18, 0),
            new DecimalType(3, 2),
            new DecimalType(1, 0));

    private static Datum decoded(FieldDecoder decoder, String text, DecimalType type) {
        VectorAppender target = VectorAppender.of(type);
        byte[] data = ("x" + text + "9").getBytes(StandardCharsets.US_ASCII);
        decoder.decode(data, 1, text.length(), target);
        Vector vector = target.build();
        return Datum.of(vector, 0, type);
    }

    private static void assertSame(String text) {
        TextFormat format = TextFormat.of(new TableFormat("", "", "", Map.of()), List.of());
        for (DecimalType type : TYPES) {
            FieldDecoder hive = new FieldDecoder.LazyField(type, format, ZoneOffset.UTC);
            assertThat(decoded(new PlainDecimals(type, hive), text, type))
                    .as("%s as %s", text, type)
                    .isEqualTo(decoded(hive, text, type));
        }
    }

    @Test
    void agreesOnUnusualTexts() {
        List.of(
                        "",
                        "-",
                        ".",
                        "-.",
                        "0",
                        "-0",
                        "-0.0",
                        "00",
                        "007",
                        "1.",
                        ".5",
                        "-.5",
                        "+1",
                        "1e2",
                        " 1",
                        "1 ",
                        "1.2.3",
                        "abc",
                        "9.99",
                        "9.999",
                        "10.00",
                        "0.00005",
                        "99999999999999.9999",
                        "100000000000000",
                        "123456789012345678",
                        "1234567890123456789",
                        "0000000000000000000000001",
                        "1.10000000000000000000000000",
                        "-9",
                        "--1",
                        "NaN")
                .forEach(TestPlainDecimals::assertSame);
    }

    @Test
    void agreesOnRandomTexts() {
        Random random = new Random(7);
        String characters = "0123456789.-";
        for (int i = 0; i < 300; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(22);
            for (int j = 0; j < length; j++) {
                text.append(characters.charAt(random.nextInt(j == 0 ? 12 : 11)));
            }
            assertSame(text.toString());
        }
    }
}
