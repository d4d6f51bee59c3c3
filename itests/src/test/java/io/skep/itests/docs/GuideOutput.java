package io.skep.itests.docs;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares output with what the guide says. Empty lines and blanks at the ends of lines do not count. In the guide's
 * text, a line {@code ...} stands for any lines and {@code ...} within a line for any text.
 */
final class GuideOutput {
    private static final String ANY = "...";

    private GuideOutput() {}

    static boolean matches(List<String> expected, String actual) {
        return pattern(expected).matcher(normal(actual.lines().toList())).matches();
    }

    private static Pattern pattern(List<String> expected) {
        return Pattern.compile(normal(expected).lines().map(GuideOutput::line).collect(Collectors.joining()));
    }

    private static String line(String line) {
        if (line.equals(ANY)) {
            return "(?:.*\n)*";
        }
        String[] parts = line.split(Pattern.quote(ANY), -1);
        return List.of(parts).stream().map(Pattern::quote).collect(Collectors.joining(".*")) + "\n";
    }

    private static String normal(List<String> lines) {
        return lines.stream()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }
}
