package io.skep.itests.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of SQL tests. Its format is described in itests/src/test/sql/README.md. */
record SqlTestFile(Path path, List<Block> blocks) {
    private static final String ROWS = "----";

    SqlTestFile {
        blocks = List.copyOf(blocks);
    }

    /** The expected outcome of a statement. */
    sealed interface Expectation {
        record Ok() implements Expectation {}

        record Rows(boolean ordered, List<String> rows) implements Expectation {
            public Rows {
                rows = List.copyOf(rows);
            }
        }

        /** @param message text that the message contains, such as a position; may be empty */
        record Failure(String sqlState, String message) implements Expectation {}
    }

    /** @param line the line of the file where the block begins, counted from 1 */
    record Block(int line, String sql, Expectation expectation) {}

    static SqlTestFile read(Path path) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(path)) {
            number++;
            if (line.isBlank()) {
                add(path, blocks, lines, number);
            } else if (!line.startsWith("#") || lines.contains(ROWS)) {
                lines.add(line);
            }
        }
        add(path, blocks, lines, number + 1);
        return new SqlTestFile(path, blocks);
    }

    private static void add(Path path, List<Block> blocks, List<String> lines, int end) {
        if (!lines.isEmpty()) {
            blocks.add(block(path, end - lines.size(), lines));
            lines.clear();
        }
    }

    private static Block block(Path path, int line, List<String> lines) {
        int rows = lines.indexOf(ROWS);
        List<String> sql = lines.subList(1, rows < 0 ? lines.size() : rows);
        String first = lines.getFirst().strip();
        boolean wantsRows = first.equals("rows") || first.equals("rows ordered");
        if (sql.isEmpty() || wantsRows != rows >= 0) {
            throw new IllegalArgumentException(path + ":" + line + ": not a block of a SQL test");
        }
        Expectation expectation;
        if (wantsRows) {
            expectation = new Expectation.Rows(first.endsWith("ordered"), lines.subList(rows + 1, lines.size()));
        } else if (first.equals("ok")) {
            expectation = new Expectation.Ok();
        } else if (first.startsWith("error ")) {
            String[] words = first.split(" ", 3);
            expectation = new Expectation.Failure(words[1], words.length > 2 ? words[2] : "");
        } else {
            throw new IllegalArgumentException(path + ":" + line + ": nothing is expected by '" + first + "'");
        }
        return new Block(line, String.join("\n", sql), expectation);
    }
}
