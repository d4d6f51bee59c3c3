package io.skep.itests.random;

import io.skep.itests.random.Table.Column;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.random.RandomGenerator;

/** Values of rows and literals. There are few distinct ones, and some are far more frequent than others. */
final class RandomValues {
    static final String NULL = "\\N";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    private static final LocalDate FIRST_DAY = LocalDate.of(2019, 12, 20);
    private static final int DAYS = 120;
    private static final int KEYS = 60;
    private static final List<String> WORDS = List.of(
            "abc",
            "",
            "a",
            "A",
            "b",
            "Abc",
            "ab",
            "ba",
            "cab",
            "10",
            "-3",
            "x_y",
            "x%y",
            "été",
            "日本",
            " b",
            "b ",
            "zz top",
            "abcabc",
            "2020-01-05",
            "aaaaaaaaaaaa",
            "1.5",
            "null",
            "b-c");
    private static final List<String> PATTERNS = List.of(
            "'a%'", "'%a'", "'%b%'", "'_b%'", "'a_c'", "'%'", "''", "'abc'", "'%a%b%'", "'__'", "'%été%'", "'A%'");

    private final RandomGenerator random;

    RandomValues(RandomGenerator random) {
        this.random = random;
    }

    /** Returns a row as a line of text with {@code |} between fields. */
    String row(Table table, int number) {
        StringBuilder line = new StringBuilder();
        for (Column column : table.columns()) {
            line.append(line.isEmpty() ? "" : "|").append(field(table, column, number));
        }
        return line.toString();
    }

    private String field(Table table, Column column, int number) {
        return switch (column.name()) {
            case "id" -> Integer.toString(number);
            case "p" -> Integer.toString(random.nextInt(5));
            case "d" -> "2020-0" + (1 + random.nextInt(4));
            default -> {
                if (random.nextDouble() < table.nullShare()) {
                    yield NULL;
                }
                yield !table.extreme() || random.nextBoolean()
                        ? value(column, table.rows() == 0 ? 0 : number * DAYS / table.rows())
                        : edge(column);
            }
        };
    }

    /** @param day the day near which dates are, so that dates are clustered in a table */
    private String value(Column column, int day) {
        return switch (column.name()) {
            case "k" -> Integer.toString(skewed(KEYS));
            case "c_tiny" -> Integer.toString(skewed(100) - 20);
            case "c_small" -> Integer.toString(random.nextInt(2_000) - 1_000);
            case "c_big" -> Long.toString(random.nextInt(1_000_000) * 3_000L - 999_999_999L);
            case "c_dec" -> BigDecimal.valueOf(skewed(20_000) - 4_000, 2).toPlainString();
            case "c_wide" -> BigDecimal.valueOf(random.nextLong(1L << 55), 3).toPlainString();
            case "c_float", "c_double" -> Double.toString((skewed(800) - 200) / 4.0);
            case "c_text", "c_varchar" -> WORDS.get(skewed(WORDS.size()));
            case "c_char" -> WORDS.get(skewed(WORDS.size()) % 10);
            case "c_date" -> FIRST_DAY.plusDays(day + random.nextInt(5)).toString();
            case "c_time" -> time(day);
            default -> Boolean.toString(random.nextInt(3) == 0);
        };
    }

    private String time(int day) {
        LocalDateTime start = FIRST_DAY.plusDays(day).atStartOfDay();
        return TIME.format(random.nextInt(4) == 0 ? start : start.plusNanos(random.nextLong(86_400_000L) * 1_000_000L));
    }

    private String edge(Column column) {
        boolean high = random.nextBoolean();
        return switch (column.name()) {
            case "k" -> Integer.toString(high ? Integer.MAX_VALUE : Integer.MIN_VALUE);
            case "c_tiny" -> Integer.toString(high ? Byte.MAX_VALUE : Byte.MIN_VALUE);
            case "c_small" -> Integer.toString(high ? Short.MAX_VALUE : Short.MIN_VALUE);
            case "c_big" -> Long.toString(high ? Long.MAX_VALUE : Long.MIN_VALUE);
            case "c_dec" -> high ? "9999999.99" : "-9999999.99";
            case "c_wide" -> new BigDecimal(BigInteger.TEN.pow(22).subtract(BigInteger.ONE), 3).toPlainString();
            case "c_float", "c_double" -> high ? "4194304.25" : "-4194304.25";
            case "c_date" -> high ? "9990-12-30" : "0011-01-02";
            case "c_time" -> high ? "9990-12-30 23:59:59.999" : "0011-01-02 00:00:00.001";
            default -> value(column, 0);
        };
    }

    /** Returns a literal that is valid in both dialects. */
    String literal(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> random.nextBoolean() ? "TRUE" : "FALSE";
            case INTEGER -> Integer.toString(random.nextInt(4) == 0 ? random.nextInt(2_000) : skewed(KEYS) - 3);
            case DECIMAL -> BigDecimal.valueOf(skewed(20_000) * 2L + 1, 2).toPlainString();
            case DOUBLE -> (skewed(800) - 100) / 4.0 + "e0";
            case TEXT -> "'" + WORDS.get(skewed(WORDS.size())) + "'";
            case DATE -> "DATE '" + FIRST_DAY.plusDays(random.nextInt(DAYS)) + "'";
            case TIMESTAMP -> "TIMESTAMP '" + time(random.nextInt(DAYS)) + "'";
        };
    }

    String pattern() {
        return PATTERNS.get(random.nextInt(PATTERNS.size()));
    }

    String small() {
        return Integer.toString(1 + random.nextInt(9));
    }

    /** Returns a skewed number: small numbers are more frequent than large ones. */
    private int skewed(int bound) {
        double share = random.nextDouble();
        return (int) (share * share * bound);
    }
}
