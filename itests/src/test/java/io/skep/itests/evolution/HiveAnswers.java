package io.skep.itests.evolution;

import io.skep.itests.client.ReleasedJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values that Hive reads from columns of one format whose type was changed. They come from
 * {@code itests/src/test/sql/evolution/types}, whose README says how the files are made.
 *
 * @param storage the storage clause of the tables, as in CREATE TABLE
 * @param lines the lines by change and place; a line of Skep's own replaces Hive's
 */
record HiveAnswers(Path file, String storage, Map<String, String> lines) {
    private static final String OWN = "skep: ";

    static Path folder() {
        return ReleasedJars.home().resolve("itests/src/test/sql/evolution/types");
    }

    /** Returns lists by key, in the order of a file. */
    static Map<String, List<String>> lists(String name) throws IOException {
        Map<String, List<String>> all = new LinkedHashMap<>();
        lines(folder().resolve(name)).forEach((key, line) -> all.put(key, values(line)));
        return all;
    }

    static HiveAnswers read(Path file) throws IOException {
        Map<String, String> lines = lines(file);
        return new HiveAnswers(file, lines.getOrDefault("storage", ""), lines);
    }

    private static Map<String, String> lines(Path file) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String plain = line.startsWith(OWN) ? line.substring(OWN.length()) : line;
                int colon = plain.indexOf(':');
                lines.put(plain.substring(0, colon), plain.substring(colon + 1).strip());
            }
        }
        return lines;
    }

    private static List<String> values(String line) {
        return line.isEmpty()
                ? List.of()
                : Arrays.stream(line.split(" \\| ")).map(HiveAnswers::unquoted).toList();
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("'") && value.endsWith("'")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** Whether the file contains a line for a change. */
    boolean knows(String from, String to, boolean partitioned) {
        return lines.containsKey(key(from, to, partitioned));
    }

    /** Returns the values, or empty if the column cannot be read. */
    Optional<List<String>> values(String from, String to, boolean partitioned) {
        String line = lines.getOrDefault(key(from, to, partitioned), "fails");
        return line.equals("fails") ? Optional.empty() : Optional.of(values(line));
    }

    private static String key(String from, String to, boolean partitioned) {
        return from + " > " + to + (partitioned ? " in partitions" : "");
    }

    @Override
    public String toString() {
        return file.getFileName().toString();
    }
}
