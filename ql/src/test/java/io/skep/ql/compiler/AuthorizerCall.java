package io.skep.ql.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of docs/testing/authorizer-calls.md: what an authorizer is asked about a statement.
 *
 * @param operation empty when it is not asked
 */
record AuthorizerCall(String operation, SortedSet<String> inputs, SortedSet<String> outputs) {
    private static final Path PAGE = Path.of("..", "docs", "testing", "authorizer-calls.md");
    private static final String DIFFERENCES = "## Where Skep asks otherwise";
    private static final Pattern ROW = Pattern.compile("\\| `(.+)` \\| ([A-Za-z_ ]+) \\|(.*)\\|(.*)\\|");

    /** Commas inside of brackets do not separate objects. */
    private static final Pattern SEPARATOR = Pattern.compile(",\\s*(?![^(\\[]*[)\\]])");

    private static final Pattern RECORDED = Pattern.compile("checkPrivileges (\\w+) \\[(.*)\\] \\[(.*)\\]");

    /** Returns what Hive asks about each statement. Not in order: objects are sets. */
    static Map<String, AuthorizerCall> ofHive() throws IOException {
        return rows(lines().takeWhile(line -> !line.equals(DIFFERENCES)));
    }

    /** Returns the statements about which Skep asks otherwise, and what it asks. */
    static Map<String, AuthorizerCall> differences() throws IOException {
        return rows(lines().dropWhile(line -> !line.equals(DIFFERENCES)));
    }

    private static Stream<String> lines() throws IOException {
        return Files.readAllLines(PAGE).stream();
    }

    private static Map<String, AuthorizerCall> rows(Stream<String> lines) {
        Map<String, AuthorizerCall> calls = new LinkedHashMap<>();
        lines.map(ROW::matcher)
                .filter(Matcher::matches)
                .forEach(row -> calls.put(
                        row.group(1),
                        new AuthorizerCall(
                                row.group(2).contains(" ") ? "" : row.group(2),
                                objects(row.group(3)),
                                objects(row.group(4)))));
        return calls;
    }

    /** The objects of partitions have no values, and their table is always beside them. */
    private static SortedSet<String> objects(String cell) {
        return Arrays.stream(SEPARATOR.split(cell.strip()))
                .map(String::strip)
                .filter(object -> !object.isEmpty() && !object.startsWith("PARTITION "))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns all that was asked about one statement, from the calls that the authorizer has recorded. */
    static AuthorizerCall recorded(Collection<String> calls) {
        List<Matcher> checks =
                calls.stream().map(RECORDED::matcher).filter(Matcher::matches).toList();
        String operation = checks.stream().map(call -> call.group(1)).distinct().collect(Collectors.joining(" and "));
        SortedSet<String> inputs = new TreeSet<>();
        SortedSet<String> outputs = new TreeSet<>();
        checks.forEach(call -> {
            inputs.addAll(objects(call.group(2)));
            outputs.addAll(objects(call.group(3)));
        });
        return new AuthorizerCall(operation, inputs, outputs);
    }

    /** Returns the row of the page without the statement. */
    @Override
    public String toString() {
        return (operation.isEmpty() ? "not asked" : operation) + " | " + String.join(", ", inputs) + " | "
                + String.join(", ", outputs);
    }
}
