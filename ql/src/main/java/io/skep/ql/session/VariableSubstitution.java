package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts values in the place of {@code ${name}}, {@code ${hivevar:name}}, {@code ${hiveconf:name}}, {@code ${system:name}} and
 * {@code ${env:name}}, again and again until nothing changes. What has no value stays as it is, and so do the names of system
 * properties and environment variables that sessions may not read; a hidden setting is empty.
 */
public final class VariableSubstitution {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^\\}$ ]+\\}");
    private static final int MOST_ROUNDS = 40;

    private final SessionSettings settings;

    public VariableSubstitution(SessionSettings settings) {
        this.settings = settings;
    }

    /** @throws SkepException INVALID_CONFIGURATION when values refer to each other without end */
    public String substitute(String text) {
        if (!text.contains("${") || !settings.getBoolean("hive.variable.substitute")) {
            return text;
        }
        String current = text;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Matcher matcher = REFERENCE.matcher(current);
            String next = matcher.replaceAll(reference -> {
                String name = reference.group().substring(2, reference.group().length() - 1);
                return Matcher.quoteReplacement(value(name).orElse(reference.group()));
            });
            if (next.equals(current)) {
                return current;
            }
            current = next;
        }
        throw new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION,
                "variables refer to each other more than " + MOST_ROUNDS + " levels deep in: " + text);
    }

    /** The value of a variable with its namespace, as SET shows it. */
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
