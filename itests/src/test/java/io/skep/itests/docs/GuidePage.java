package io.skep.itests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of the user's guide as steps to run. {@code docs/guide/README.md} describes how pages are written.
 *
 * @param name the file's name
 * @param steps in the page's order
 */
record GuidePage(String name, List<Step> steps) {
    private static final String FENCE = "```";
    private static final String CONTINUED_SQL = "   > ";
    private static final Pattern NOT_RUN = Pattern.compile("\\*Not run: .+\\*");
    private static final Pattern FILE_NAME =
            Pattern.compile("(?://|#|<!--) (?<name>[\\w./-]+\\.(?:py|java|xml|csv|sh))(?: -->)?");

    GuidePage {
        steps = List.copyOf(steps);
    }

    /** A step of a page, with the number of its first line. */
    sealed interface Step {
        int line();
    }

    /** @param output the expected output, in which {@code ...} stands for any text or lines */
    record Shell(int line, String command, List<String> output) implements Step {
        Shell {
            output = List.copyOf(output);
        }
    }

    /** @param output the expected output, as in {@link Shell} */
    record Sql(int line, String statement, List<String> output) implements Step {
        Sql {
            output = List.copyOf(output);
        }
    }

    /** A file to write, relative to the folder in which commands run. */
    record WrittenFile(int line, String name, String content) implements Step {}

    /** @throws IllegalArgumentException for a block that is neither run nor marked as not run */
    static GuidePage read(Path file) throws IOException {
        return new GuidePage(file.getFileName().toString(), steps(Files.readAllLines(file)));
    }

    static List<Step> steps(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                int end = end(lines, i);
                if (!NOT_RUN.matcher(before).matches()) {
                    steps.addAll(block(line.substring(FENCE.length()), lines.subList(i + 1, end), i + 2));
                }
                i = end;
            }
            before = line.isBlank() ? before : line;
        }
        return steps;
    }

    private static int end(List<String> lines, int begin) {
        for (int i = begin + 1; i < lines.size(); i++) {
            if (lines.get(i).equals(FENCE)) {
                return i;
            }
        }
        throw new IllegalArgumentException("the block of line " + (begin + 1) + " has no end");
    }

    /** @param first the number of its first line */
    private static List<Step> block(String language, List<String> lines, int first) {
        return language.equals("console") ? session(lines, first) : List.of(file(lines, first));
    }

    private static Step file(List<String> lines, int first) {
        Matcher name = FILE_NAME.matcher(lines.isEmpty() ? "" : lines.getFirst());
        if (!name.matches()) {
            throw new IllegalArgumentException("the block of line " + first
                    + " names no file in its first line, and the line before does not say why it is not run");
        }
        return new WrittenFile(first, name.group("name"), String.join("\n", lines) + "\n");
    }

    private static List<Step> session(List<String> lines, int first) {
        List<Step> steps = new ArrayList<>();
        int i = 0;
        while (i < lines.size()) {
            String prompt = prompt(lines.get(i), first + i);
            int begin = i;
            i++;
            while (i < lines.size() && continues(prompt, lines.get(i), lines.get(i - 1))) {
                i++;
            }
            String text = lines.subList(begin, i).stream()
                    .map(line -> line.startsWith(prompt) ? line.substring(prompt.length()) : line)
                    .map(line -> line.startsWith(CONTINUED_SQL) ? line.substring(CONTINUED_SQL.length()) : line)
                    .collect(Collectors.joining("\n"));
            int output = i;
            while (i < lines.size() && !isPrompt(lines.get(i))) {
                i++;
            }
            List<String> expected = lines.subList(output, i);
            steps.add(
                    prompt.equals("$ ")
                            ? new Shell(first + begin, text, expected)
                            : new Sql(first + begin, text, expected));
        }
        return steps;
    }

    private static boolean continues(String prompt, String line, String lineBefore) {
        return prompt.equals("$ ") ? lineBefore.endsWith("\\") : line.startsWith(CONTINUED_SQL);
    }

    private static boolean isPrompt(String line) {
        return line.startsWith("$ ") || line.startsWith("sql> ");
    }

    private static String prompt(String line, int number) {
        if (!isPrompt(line)) {
            throw new IllegalArgumentException("line " + number + " begins a block of commands without a prompt");
        }
        return line.startsWith("$ ") ? "$ " : "sql> ";
    }
}
