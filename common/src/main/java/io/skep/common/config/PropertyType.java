package io.skep.common.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a setting, which parses its text.
 *
 * @param description the allowed values, for the reference and for errors
 */
public record PropertyType<T>(String description, Function<String, T> parser) {
    /** The text for a value that is derived from the machine. */
    public static final String AUTO = "auto";

    private static final int MAX_PORT = 65_535;

    private static final Pattern TIME = Pattern.compile("(-?)(\\d{1,15})\\s*([a-z]*)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(|b|kb|mb|gb|tb)");

    public static PropertyType<String> text() {
        return new PropertyType<>("text", text -> text);
    }

    /** Returns the type of an optional text. */
    public static PropertyType<Optional<String>> optionalText() {
        return optional("text", text -> text);
    }

    /** Returns the type of an optional file. */
    public static PropertyType<Optional<Path>> optionalFile() {
        return optional("a file", Path::of);
    }

    /** Returns the type of a port to listen on, where 0 is any free one. */
    public static PropertyType<Integer> port() {
        return integer(0, MAX_PORT);
    }

    /** Returns the type of a port that is closed without a value. */
    public static PropertyType<Optional<Integer>> optionalPort() {
        return optional(port().description() + ", or empty", port()::parse);
    }

    private static <T> PropertyType<Optional<T>> optional(String description, Function<String, T> parser) {
        return new PropertyType<>(
                description, text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text)));
    }

    public static PropertyType<Boolean> flag() {
        return new PropertyType<>("true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        });
    }

    public static PropertyType<String> oneOf(String... words) {
        return new PropertyType<>(
                "one of " + String.join(", ", words),
                text -> List.of(words).stream()
                        .filter(text::equalsIgnoreCase)
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }

    public static PropertyType<Integer> integer(int least, int most) {
        return new PropertyType<>("a number from " + least + " to " + most, text -> {
            int value = Integer.parseInt(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    public static PropertyType<Long> count(long least) {
        return new PropertyType<>("a number, " + least + " or more", text -> {
            long value = Long.parseLong(text);
            if (value < least) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    /** Returns a type for bytes, with or without a unit: {@code 1048576}, {@code 64MB}. */
    public static PropertyType<Long> size(long least, long most) {
        return new PropertyType<>(
                "a size" + (most == Long.MAX_VALUE ? ", " + least + " or more" : " from " + least + " to " + most)
                        + " bytes (units b, kb, mb, gb, tb)",
                text -> {
                    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
                    if (!matcher.matches()) {
                        throw new IllegalArgumentException();
                    }
                    int power = List.of("b", "kb", "mb", "gb", "tb").indexOf(matcher.group(2));
                    long value = Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * Math.max(0, power)));
                    if (value < least || value > most) {
                        throw new IllegalArgumentException();
                    }
                    return value;
                });
    }

    /**
     * Returns a type for times in Hive's notation: {@code 5000ms}, {@code 7d}. A bare number counts in {@code bare}.
     */
    public static PropertyType<Duration> time(Duration bare) {
        return new PropertyType<>("a time " + units(bare), text -> {
            Duration value = duration(text, bare);
            if (value.isNegative()) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    /** Returns a type like {@link #time} that also allows negative times, where these have a meaning of their own. */
    public static PropertyType<Duration> signedTime(Duration bare) {
        return new PropertyType<>("a time, also a negative one " + units(bare), text -> duration(text, bare));
    }

    private static String units(Duration bare) {
        return "(units ns, us, ms, s, m, h, d; " + bare.toMillis() + " ms without a unit)";
    }

    private static Duration duration(String text, Duration bare) {
        Matcher matcher = TIME.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException();
        }
        Duration value = unit(matcher.group(3), bare).multipliedBy(Long.parseLong(matcher.group(2)));
        return matcher.group(1).isEmpty() ? value : value.negated();
    }

    /** Returns a type that also accepts {@code auto}, which reads as empty: the process derives the value. */
    public static <T> PropertyType<Optional<T>> derivable(PropertyType<T> type) {
        return new PropertyType<>(
                type.description() + ", or auto",
                text -> text.equalsIgnoreCase(AUTO) ? Optional.empty() : Optional.of(type.parse(text)));
    }

    private static Duration unit(String name, Duration bare) {
        return switch (name) {
            case "" -> bare;
            case "ns", "nsec" -> Duration.ofNanos(1);
            case "us", "usec" -> Duration.ofNanos(1000);
            case "ms", "msec" -> Duration.ofMillis(1);
            case "s", "sec" -> Duration.ofSeconds(1);
            case "m", "min" -> Duration.ofMinutes(1);
            case "h", "hour" -> Duration.ofHours(1);
            case "d", "day" -> Duration.ofDays(1);
            default -> throw new IllegalArgumentException();
        };
    }

    /** @throws IllegalArgumentException when the text is not a valid value */
    public T parse(String value) {
        try {
            return parser.apply(value.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + value + "' is not " + description, e);
        }
    }
}
