package io.skep.ql.compiler;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.engine.plan.CommandWords;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.statement.CommandStatement;
import io.skep.storage.file.FileShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The command dfs: commands of Hadoop's shell about files. All paths are those that statements may name. Commands and
 * options that read from the server's input, never end, or have paths in other places are not supported.
 */
final class FileCommand {
    private static final TextPosition START = new TextPosition(1, 0);

    /** The limit of the paths that the patterns of a command match. */
    private static final int MAX_MATCHES = 10_000;

    /** The limit of the lines that a command prints. Each is a row. */
    private static final int MAX_LINES = 100_000;

    private static final Pattern PATTERN = Pattern.compile("[*?\\[{\\\\]");

    /** Which paths of a command are on the server's machine. */
    private enum Form {
        NONE_LOCAL,

        /** The first paths are files of the server's machine. */
        FROM_LOCAL,

        /** The last path is on the server's machine. */
        TO_LOCAL
    }

    /**
     * A command of the shell.
     *
     * @param run the command that does its work
     * @param options the options that it takes here
     * @param words the number of words before the paths
     * @param paths the smallest number of paths
     */
    private record Shape(Form form, String run, Set<String> options, int words, int paths) {
        static Shape reads(String run, String... options) {
            return new Shape(Form.NONE_LOCAL, run, Set.of(options), 0, 1);
        }

        static Shape changes(String run, int words, int paths, String... options) {
            return new Shape(Form.NONE_LOCAL, run, Set.of(options), words, paths);
        }

        static Shape copies(Form form) {
            return new Shape(form, "-cp", Set.of("-f", "-p"), 0, 2);
        }
    }

    private static final Map<String, Shape> SHAPES = Map.ofEntries(
            Map.entry("-ls", Shape.reads("-ls", "-C", "-d", "-h", "-q", "-R", "-t", "-S", "-r", "-u", "-e")),
            Map.entry("-du", Shape.reads("-du", "-s", "-h", "-v", "-x")),
            Map.entry("-count", Shape.reads("-count", "-q", "-u", "-h", "-v", "-x", "-e")),
            Map.entry("-cat", Shape.reads("-cat", "-ignoreCrc")),
            Map.entry("-text", Shape.reads("-text", "-ignoreCrc")),
            Map.entry("-head", Shape.reads("-head")),
            Map.entry("-tail", Shape.reads("-tail")),
            Map.entry("-stat", Shape.reads("-stat")),
            Map.entry("-checksum", Shape.reads("-checksum")),
            Map.entry("-test", Shape.reads("-test", "-d", "-e", "-f", "-r", "-s", "-w", "-z")),
            Map.entry("-mkdir", Shape.changes("-mkdir", 0, 1, "-p")),
            Map.entry("-touchz", Shape.changes("-touchz", 0, 1)),
            Map.entry("-rm", Shape.changes("-rm", 0, 1, "-f", "-r", "-R", "-skipTrash")),
            Map.entry("-rmdir", Shape.changes("-rmdir", 0, 1, "--ignore-fail-on-non-empty")),
            Map.entry("-mv", Shape.changes("-mv", 0, 2)),
            Map.entry("-cp", Shape.changes("-cp", 0, 2, "-f", "-p")),
            Map.entry("-chmod", Shape.changes("-chmod", 1, 1, "-R")),
            Map.entry("-chown", Shape.changes("-chown", 1, 1, "-R")),
            Map.entry("-chgrp", Shape.changes("-chgrp", 1, 1, "-R")),
            Map.entry("-setrep", Shape.changes("-setrep", 1, 1, "-R")),
            Map.entry("-put", Shape.copies(Form.FROM_LOCAL)),
            Map.entry("-copyFromLocal", Shape.copies(Form.FROM_LOCAL)),
            Map.entry("-get", Shape.copies(Form.TO_LOCAL)),
            Map.entry("-copyToLocal", Shape.copies(Form.TO_LOCAL)));

    private final PathPolicy paths;
    private final TableFiles files;

    FileCommand(PathPolicy paths, TableFiles files) {
        this.paths = paths;
        this.files = files;
    }

    /** @param text the command without its first word */
    SqlStatement compile(String text) {
        List<String> words = CommandWords.of(text.replaceAll("\\s", " "));
        if (words.isEmpty()) {
            throw unsupported("dfs without a command");
        }
        String name = words.getFirst();
        Shape shape = SHAPES.get(name);
        if (shape == null) {
            throw unsupported("dfs " + name);
        }
        int options = 1;
        while (options < words.size() && words.get(options).startsWith("-")) {
            if (!shape.options().contains(words.get(options))) {
                throw unsupported("dfs " + name + " " + words.get(options));
            }
            options++;
        }
        int first = options + shape.words();
        if (words.size() - first < shape.paths()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT, "dfs " + name + " needs " + shape.paths() + " paths")
                    .at(START);
        }
        List<String> before = words.subList(1, first);
        List<String> named = new ArrayList<>();
        for (int i = first; i < words.size(); i++) {
            boolean local = shape.form() == Form.FROM_LOCAL && i < words.size() - 1
                    || shape.form() == Form.TO_LOCAL && i == words.size() - 1;
            named.add(checked(words.get(i), local));
        }
        return CommandStatement.withText("DFS", List.of("DFS Output"), log -> {
            List<String> arguments = new ArrayList<>(before);
            for (String path : named) {
                arguments.addAll(matches(name, path));
            }
            return rows(name, files.shell().run(shape.run(), arguments));
        });
    }

    private static SkepException unsupported(String what) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, "the command '" + what + "' is not supported")
                .withHint("commands are " + String.join(", ", new TreeMap<>(SHAPES).keySet())
                        + ", without options that take a value")
                .at(START);
    }

    /**
     * Checks a path, or the folder in which the names of a pattern begin. A folder passes only if it contains no closed
     * folder, so that nothing below it is closed, but what links lead to.
     */
    private String checked(String path, boolean local) {
        if (!PATTERN.matcher(path).find()) {
            return checkedFile(path, local);
        }
        int from = path.lastIndexOf('/', start(path)) + 1;
        if (from == 0 || path.substring(from).contains("..")) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the pattern '" + path + "' is not absolute")
                    .at(START);
        }
        PathPolicy.refuseControlCharacters(path, START);
        String folder = paths.check(path.substring(0, Math.max(from - 1, 1)), local, START);
        return shown(path, local, folder + (folder.endsWith("/") ? "" : "/") + path.substring(from));
    }

    private static int start(String path) {
        var matcher = PATTERN.matcher(path);
        return matcher.find() ? matcher.start() : path.length();
    }

    private String checkedFile(String path, boolean local) {
        String absolute = paths.check(path, local, START);
        if (paths.isSpecial(absolute)) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, absolute + " is not a regular file").at(START);
        }
        return shown(path, local, absolute);
    }

    /** Returns a path without the default file system if it is written so, since the shell prints it. */
    private String shown(String written, boolean local, String absolute) {
        String root = files.qualified("/");
        return !local && written.startsWith("/") && absolute.startsWith(root)
                ? "/" + absolute.substring(root.length())
                : absolute;
    }

    private List<String> matches(String command, String path) {
        if (!PATTERN.matcher(path).find()) {
            return List.of(path);
        }
        List<String> found = files.shell().matches(path, MAX_MATCHES);
        if (found.isEmpty()) {
            throw failed(command, "`" + path + "': No such file or directory");
        }
        List<String> checked = new ArrayList<>();
        for (String match : found) {
            if (PATTERN.matcher(match).find()) {
                throw failed(command, "`" + match + "': the name has characters of patterns");
            }
            checked.add(checkedFile(match, false));
        }
        return checked;
    }

    private static SkepException failed(String command, String why) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "dfs " + command + " failed: " + SecretSettings.redacted(why));
    }

    private static List<List<Optional<String>>> rows(String command, FileShell.Result result) {
        if (result.status() != 0) {
            String errors = result.errors().strip();
            throw failed(command, errors.isEmpty() ? "status " + result.status() : errors);
        }
        if (result.output().lines().count() > MAX_LINES) {
            throw new SkepException(
                    StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "the command prints more than " + MAX_LINES + " lines");
        }
        return result.output()
                .lines()
                .map(line -> List.of(Optional.of(SecretSettings.redacted(line))))
                .toList();
    }
}
