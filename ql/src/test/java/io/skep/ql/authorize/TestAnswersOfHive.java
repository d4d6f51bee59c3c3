package io.skep.ql.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the answers to statements of several users with those of a real Hive. */
final class TestAnswersOfHive {
    private static final String ANSWERS = "hive-answers.txt";

    private record Asked(String user, String statement, List<String> answer) {}

    private static List<Asked> asked() throws IOException {
        List<Asked> asked = new ArrayList<>();
        try (InputStream file = Objects.requireNonNull(TestAnswersOfHive.class.getResourceAsStream(ANSWERS))) {
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("  ")) {
                    asked.getLast().answer().add(line.strip());
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.split(": ", 2);
                    asked.add(new Asked(parts[0], parts[1], new ArrayList<>()));
                }
            }
        }
        return asked;
    }

    @Test
    void areGiven() throws IOException {
        List<String> differences = new ArrayList<>();
        try (TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT)) {
            Map<String, SqlSession> sessions = new HashMap<>();
            for (Asked each : asked()) {
                SqlSession session = sessions.computeIfAbsent(each.user(), engine::session);
                List<String> given = answer(engine, session, each.statement());
                if (!agrees(given, each.answer())) {
                    differences.add(each.user() + ": " + each.statement() + "\n  given    " + given + "\n  expected "
                            + each.answer());
                }
            }
            sessions.values().forEach(SqlSession::close);
        }
        assertThat(differences).isEmpty();
    }

    private static boolean agrees(List<String> given, List<String> expected) {
        return switch (expected.getFirst()) {
            case "ok", "skep ok" ->
                given.getFirst().equals("ok") || given.getFirst().startsWith("columns ");
            case "skep denied" -> given.getFirst().startsWith("denied ");
            case "other" -> given.getFirst().startsWith("other ");
            default -> given.equals(expected);
        };
    }

    private static List<String> answer(TestingEngine engine, SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("q"), sql)) {
            List<String> rows = engine.rowsOf(statement);
            List<String> lines = new ArrayList<>();
            Optional<ResultSchema> schema = statement.schema();
            lines.add(schema.map(columns -> "columns "
                            + columns.columns().stream()
                                    .map(ResultSchema.ResultColumn::name)
                                    .collect(Collectors.joining(", ")))
                    .orElse("ok"));
            rows.forEach(row -> lines.add(("row " + row(row, schema.orElseThrow())).strip()));
            return lines;
        } catch (SkepException e) {
            ClientError client = e.client();
            String words = String.valueOf(e.getMessage());
            return List.of(
                    switch (client.form()) {
                        case TASK -> "task " + words;
                        case COMMAND -> "command " + words;
                        case NAMED -> words.replaceFirst("^HiveAccessControlException", "denied");
                        case SYNTAX, POSITIONED, PLAIN, OTHER -> "other " + words;
                    });
        }
    }

    private static String row(String row, ResultSchema schema) {
        String[] cells = row.split(" \\| ", -1);
        for (int i = 0; i < cells.length; i++) {
            cells[i] = switch (schema.columns().get(i).name()) {
                case "grant_option" -> cells[i].equals("1") ? "true" : "false";
                case "grant_time" -> cells[i].equals("0") ? "0" : "TIME";
                default -> cells[i];
            };
        }
        return String.join(" | ", cells);
    }
}
