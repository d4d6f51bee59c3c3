package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${name}}, {@code ${hivevar:name}}, {@code ${hiveconf:name}}, {@code ${system:name}} and {@code
 * ${env:name}} with their values, repeatedly until nothing changes. A reference without a value stays as it is. So do
 * names of system properties and environment variables that sessions may not read. A hidden setting is replaced with an
 * empty string.
 */
public final class VariableSubstitution {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^\\}$ ]+\\}");
    private static final int MAX_ROUNDS = 40;

    /**
     * The number of characters that values may add to a text. A value that refers to itself twice would double the text
     * in each round.
     */
    static final int MAX_ADDED_CHARS = 1 << 20;

    private final SessionSettings settings;

    public VariableSubstitution(SessionSettings settings) {
        this.settings = settings;
    }

    /** Whether the text may contain references to substitute. Checks only the text. */
    public static boolean mayChange(String text) {
        return text.contains("${");
    }

    /**
     * @throws SkepException INVALID_CONFIGURATION when values refer to each other endlessly, or make the text too long
     */
    public String substitute(String text) {
        if (!mayChange(text) || !settings.getBoolean("hive.variable.substitute")) {
            return text;
        }
        String current = text;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            String next = replaceOnce(current, text.length() + MAX_ADDED_CHARS);
            if (next.equals(current)) {
                return current;
            }
            current = next;
        }
        throw new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION,
                "variables refer to each other more than " + MAX_ROUNDS + " levels deep");
    }

    private String replaceOnce(String text, int mostChars) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder next = new StringBuilder();
        int end = 0;
        while (matcher.find()) {
            String name = text.substring(matcher.start() + 2, matcher.end() - 1);
            String value = value(name).orElse(matcher.group());
            next.append(text, end, matcher.start()).append(value);
            end = matcher.end();
            if (next.length() > mostChars) {
                throw new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION,
                                "the values of variables add more than " + MAX_ADDED_CHARS
                                        + " characters to the statement")
                        .withHint("look whether a variable refers to itself");
            }
        }
        return next.append(text, end, text.length()).toString();
    }

    /** Returns the value of a variable with its namespace, as SET shows it. */
    public Optional<String> value(String name) {
        int colon = name.indexOf(':');
        if (colon > 0) {
            Optional<Function<String, Optional<String>>> namespace = namespace(name.substring(0, colon));
            if (namespace.isPresent()) {
                return namespace.get().apply(name.substring(colon + 1));
            }
        }
        return Optional.ofNullable(settings.variables().get(name));
    }

    private Optional<Function<String, Optional<String>>> namespace(String name) {
        return switch (name) {
            case "hivevar" ->
                Optional.of(key -> Optional.ofNullable(settings.variables().get(key)));
            case "hiveconf", "metaconf" -> Optional.of(settings::readable);
            case "system" -> Optional.of(settings.rules()::system);
            case "env" -> Optional.of(settings.rules()::environment);
            default -> Optional.empty();
        };
    }
}
