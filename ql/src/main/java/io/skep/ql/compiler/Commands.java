package io.skep.ql.compiler;

import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.session.Session;
import io.skep.ql.session.SessionFiles;
import io.skep.ql.statement.CommandStatement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.conf.HiveConf;

/**
 * Compiles commands that are not SQL: SET, RESET, dfs, and ADD, DELETE and LIST of jars, files and archives. They are
 * identified by their first words.
 */
final class Commands {
    private static final String COMMAND = "SET";

    /** The position of everything that a command names, since a command has no syntax tree. */
    private static final TextPosition START = new TextPosition(1, 0);

    private static final Pattern TIME_ZONE =
            Pattern.compile("time\\s+zone\\s+['\"]?([^'\"\\s]+)['\"]?", Pattern.CASE_INSENSITIVE);

    /** The limit is longer than the name of any command. */
    private static final Pattern FIRST_WORD = Pattern.compile("[A-Za-z]{1,10}+(?=\\s|$)");

    private final Session session;
    private final PathPolicy paths;
    private final TableFiles files;

    Commands(Session session, PathPolicy paths, TableFiles files) {
        this.session = session;
        this.paths = paths;
        this.files = files;
    }

    /** Returns the statement of a command; empty when the text is not a command. */
    Optional<SqlStatement> compile(String text) {
        Matcher first = FIRST_WORD.matcher(text);
        String word = first.lookingAt() ? first.group() : "";
        // The rest of the text is copied only for a command, since other texts may be large.
        Optional<SqlStatement> command =
                command(word, () -> text.substring(word.length()).strip());
        if (command.isPresent()) {
            session.settings().rules().checkCommand(word);
        }
        return command;
    }

    /** Whether a text is a command, also one that is wrong or not supported. */
    boolean isCommand(String text) {
        try {
            return compile(text).isPresent();
        } catch (SkepException e) {
            return true;
        }
    }

    private Optional<SqlStatement> command(String name, Supplier<String> rest) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "set" -> isStatement(rest.get()) ? Optional.empty() : Optional.of(set(rest.get()));
            case "reset" -> Optional.of(reset(rest.get()));
            case "add" -> Optional.of(add(rest.get()));
            case "delete" -> isResource(rest.get()) ? Optional.of(delete(rest.get())) : Optional.empty();
            case "list" -> Optional.of(list(rest.get()));
            case "dfs" -> Optional.of(dfs(rest.get()));
            case "compile", "crypto", "erasure" -> throw notSupported(name);
            default -> Optional.empty();
        };
    }

    /** Returns what a command needs, as Hive has it. Empty for an unknown command, which is then refused. */
    static Optional<StatementNeeds> needs(String text) {
        String[] words = text.split("\\s+");
        String operation = words[0].toUpperCase(Locale.ROOT);
        return switch (operation) {
            case "SET", "LIST" -> Optional.of(StatementNeeds.unasked(operation));
            case "RESET" ->
                Optional.of(StatementNeeds.of(
                        operation,
                        AccessNeed.input(
                                new AccessedObject.OfCommand(List.of(words).subList(1, words.length)))));
            case "ADD", "DELETE", "DFS" ->
                Optional.of(StatementNeeds.of(
                        operation,
                        AccessNeed.input(
                                new AccessedObject.OfCommand(List.of(words).subList(1, words.length)),
                                RequiredPrivilege.ADMIN)));
            default -> Optional.empty();
        };
    }

    /** Whether the rest of SET makes it a statement: SET ROLE or SET AUTOCOMMIT. */
    private static boolean isStatement(String rest) {
        String lower = rest.toLowerCase(Locale.ROOT);
        return lower.startsWith("role") || lower.matches("autocommit\\s+(true|false)");
    }

    private static SkepException notSupported(String command) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, "the command '" + command + "' is not supported");
    }

    private SqlStatement dfs(String rest) {
        session.settings().rules().checkCommand("dfs");
        session.settings().rules().checkFileCommands();
        return new FileCommand(paths, files).compile(session.substitution().substitute(rest));
    }

    private SqlStatement set(String rest) {
        Matcher zone = TIME_ZONE.matcher(rest);
        if (zone.matches()) {
            return CommandStatement.of(COMMAND, () -> session.set("hive.local.time.zone", zone.group(1)));
        }
        int equals = rest.indexOf('=');
        if (equals > 0) {
            String name = rest.substring(0, equals).strip();
            String value =
                    session.substitution().substitute(rest.substring(equals + 1).strip());
            return CommandStatement.of(COMMAND, () -> session.set(name, value));
        }
        if (rest.isEmpty() || rest.equals("-v")) {
            return CommandStatement.withText(COMMAND, List.of("set"), log -> all(rest.equals("-v")));
        }
        return CommandStatement.withText(COMMAND, List.of("set"), log -> rows(List.of(shown(rest))));
    }

    private String shown(String name) {
        boolean spaced = name.contains(":");
        String key = spaced ? name.substring(name.indexOf(':') + 1) : name;
        Optional<String> value =
                spaced ? session.substitution().value(name) : session.settings().get(name);
        Optional<String> found = value.or(() -> session.substitution().value(name));
        if (found.isEmpty()) {
            return name + " is undefined";
        }
        return secrets().isSecret(key)
                ? name + " is a hidden config"
                : name + "=" + SecretSettings.redacted(found.get());
    }

    private SecretSettings secrets() {
        return session.settings().rules().secrets();
    }

    private List<List<Optional<String>>> all(boolean withDefaults) {
        TreeMap<String, String> values = new TreeMap<>();
        if (withDefaults) {
            for (HiveConf.ConfVars known : HiveConf.ConfVars.values()) {
                session.settings().get(known.varname).ifPresent(value -> values.put(known.varname, value));
            }
        }
        values.putAll(session.settings().explicit());
        session.settings().variables().forEach((name, value) -> values.put("hivevar:" + name, value));
        values.keySet().removeIf(secrets()::isSecret);
        List<String> lines = new ArrayList<>();
        values.forEach((name, value) -> lines.add(name + "=" + SecretSettings.redacted(value)));
        return rows(lines);
    }

    private SqlStatement reset(String rest) {
        String[] names = rest.replaceFirst("^-d\\s*", "").split("\\s+");
        boolean every = names.length == 1 && names[0].isEmpty();
        return CommandStatement.of("RESET", () -> {
            if (every) {
                session.settings().resetAll();
            }
            for (String name : names) {
                session.settings().reset(name);
            }
        });
    }

    private static boolean isResource(String rest) {
        return rest.toLowerCase(Locale.ROOT).matches("(jar|jars|file|files|archive|archives)(\\s.*)?");
    }

    /** What ADD, LIST and DELETE are about. */
    private enum Resource {
        JAR,
        FILE,
        ARCHIVE;

        /** @param command the command's first word, for the error */
        static Resource of(String command, String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "jar", "jars" -> JAR;
                case "file", "files" -> FILE;
                case "archive", "archives" -> ARCHIVE;
                default -> throw notSupported(command + " " + word);
            };
        }
    }

    private SqlStatement add(String rest) {
        List<String> words = words(rest);
        Resource resource = Resource.of("add", words.getFirst());
        return CommandStatement.of("ADD", () -> names(words).forEach(location -> add(resource, location)));
    }

    private void add(Resource resource, String location) {
        Path path = paths.checkedLocal(location, START);
        switch (resource) {
            case JAR -> session.userFunctions().addJar(path);
            case FILE -> session.files().add(SessionFiles.Kind.FILE, path);
            case ARCHIVE -> session.files().add(SessionFiles.Kind.ARCHIVE, path);
        }
    }

    private SqlStatement delete(String rest) {
        List<String> words = words(rest);
        Resource resource = Resource.of("delete", words.getFirst());
        return CommandStatement.of("DELETE", () -> names(words).forEach(location -> delete(resource, location)));
    }

    private void delete(Resource resource, String location) {
        switch (resource) {
            case JAR -> session.userFunctions().removeJar(location);
            case FILE -> session.files().remove(SessionFiles.Kind.FILE, paths.checkedLocal(location, START));
            case ARCHIVE -> session.files().remove(SessionFiles.Kind.ARCHIVE, paths.checkedLocal(location, START));
        }
    }

    private SqlStatement list(String rest) {
        List<String> words = words(rest);
        Resource resource = Resource.of("list", words.getFirst());
        return CommandStatement.withText("LIST", List.of("resource"), log -> rows(listed(resource, names(words))));
    }

    /** Returns all resources of a kind, or those among the given names. */
    private List<String> listed(Resource resource, List<String> names) {
        List<String> all = switch (resource) {
            case JAR -> session.userFunctions().jars();
            case FILE -> session.files().paths(SessionFiles.Kind.FILE);
            case ARCHIVE -> session.files().paths(SessionFiles.Kind.ARCHIVE);
        };
        return names.isEmpty() ? all : all.stream().filter(names::contains).toList();
    }

    private static List<String> words(String rest) {
        return List.of(rest.split("\\s+"));
    }

    private static List<String> names(List<String> words) {
        return words.subList(1, words.size());
    }

    private static List<List<Optional<String>>> rows(List<String> lines) {
        return lines.stream().map(line -> List.of(Optional.of(line))).toList();
    }
}
