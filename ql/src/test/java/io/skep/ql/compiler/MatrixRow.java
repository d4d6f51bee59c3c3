package io.skep.ql.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A row of docs/security-matrix.md.
 *
 * @param operation the kind of statement in errors
 * @param needs privileges as the page writes them, such as {@code SELECT GRANT m.t(a)}; all of them are needed
 */
record MatrixRow(String statement, String operation, List<String> needs) {
    private static final Path PAGE = Path.of("..", "docs", "security-matrix.md");
    private static final Pattern ROW = Pattern.compile("\\| `(.+)` \\| ([A-Z_]+) \\|(.*)\\|");
    private static final Pattern CODE = Pattern.compile("`([A-Z].+?)`");
    private static final Pattern NEED = Pattern.compile("([A-Z]+)( GRANT)? m(?:\\.(\\w+))?(?:\\((.+)\\))?");

    /** Commas inside of parentheses do not separate needs. */
    private static final Pattern SEPARATOR = Pattern.compile(",\\s*(?![^(]*\\))");

    static List<MatrixRow> all() throws IOException {
        List<MatrixRow> rows = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                List<String> needs = Arrays.stream(SEPARATOR.split(row.group(3).strip()))
                        .filter(need -> !need.isBlank())
                        .toList();
                rows.add(new MatrixRow(row.group(1), row.group(2), needs));
            }
        }
        return rows;
    }

    /** Returns everything on the page that may be a statement. */
    static List<String> examples() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .flatMap(line -> CODE.matcher(line).results().map(found -> found.group(1)))
                .toList();
    }

    /** Returns the statement for a database of another name. */
    String in(String database) {
        return statement.replaceAll("\\bm\\b", database);
    }

    /** @param held such as {@code SELECT t}, {@code SELECT GRANT t.a}, {@code OWNER m} */
    boolean isAllowed(Set<String> held) {
        return needs.stream().allMatch(need -> isMet(need, held));
    }

    private static boolean isMet(String need, Set<String> held) {
        if (need.equals("ADMIN")) {
            return false;
        }
        Matcher parts = NEED.matcher(need);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a need: " + need);
        }
        String object = parts.group(3) == null ? "m" : parts.group(3);
        boolean withGrant = parts.group(2) != null;
        if (holds(parts.group(1), withGrant, object, held)) {
            return true;
        }
        if (parts.group(4) == null) {
            return false;
        }
        return parts.group(4).equals("*")
                ? Stream.of("a", "b", "c").anyMatch(column -> holds(parts.group(1), withGrant, object, column, held))
                : Arrays.stream(parts.group(4).split(","))
                        .allMatch(column -> holds(parts.group(1), withGrant, object, column, held));
    }

    private static boolean holds(String privilege, boolean withGrant, String object, String column, Set<String> held) {
        return holds(privilege, withGrant, object + "." + column, held);
    }

    private static boolean holds(String privilege, boolean withGrant, String object, Set<String> held) {
        return held.contains(privilege + " GRANT " + object) || !withGrant && held.contains(privilege + " " + object);
    }
}
