package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The lines of an audit log, of all its files. */
public final class AuditLines {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AuditLines() {}

    /** Returns the files, the oldest first. */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted(Comparator.comparingLong(AuditLines::number))
                    .toList();
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return name.equals("audit.log") ? Long.MAX_VALUE : Long.parseLong(name.replaceAll("\\D", ""));
    }

    /** Returns the lines in their order, each of which is a whole object. */
    public static List<JsonNode> of(Path folder) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (Path file : files(folder)) {
            String text = Files.readString(file);
            assertThat(text.isEmpty() || text.endsWith("\n")).isTrue();
            for (String line : text.lines().toList()) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }

    /** Returns the lines of an event. */
    static List<JsonNode> of(Path folder, String event) throws IOException {
        return of(folder).stream()
                .filter(line -> line.get("event").textValue().equals(event))
                .toList();
    }

    /** Returns the last line. */
    static JsonNode last(Path folder) throws IOException {
        return of(folder).getLast();
    }
}
