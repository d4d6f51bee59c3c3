package io.skep.llap.server.yarn;

import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of a command, each with a value. */
final class LlapOptions {
    private static final int MAX_INSTANCES = 100_000;
    private static final int MAX_CORES = 1 << 20;
    private static final long MB = 1 << 20;

    private final Map<String, String> values;

    private LlapOptions(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads {@code --name value} pairs and flags.
     *
     * @param known options that have a value
     * @param flags options without a value
     * @throws SkepException INVALID_CONFIGURATION for others
     */
    static LlapOptions parse(List<String> arguments, List<String> known, List<String> flags) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            if (flags.contains(option)) {
                values.put(option, "true");
            } else if (!known.contains(option)) {
                throw invalid("unknown option " + option);
            } else if (++i == arguments.size()) {
                throw invalid(option + " needs a value");
            } else {
                values.put(option, arguments.get(i));
            }
        }
        return new LlapOptions(values);
    }

    Optional<String> text(String option) {
        return Optional.ofNullable(values.get(option));
    }

    boolean has(String option) {
        return values.containsKey(option);
    }

    /** The number of daemons. */
    int instances() {
        return read("--instances", PropertyType.integer(1, MAX_INSTANCES))
                .orElseThrow(() -> invalid("--instances is missing: how many daemons are wanted?"));
    }

    /** The bytes of a container, in whole megabytes. */
    Optional<Long> memory() {
        return read("--memory", PropertyType.size(MB, Long.MAX_VALUE)).map(bytes -> bytes / MB * MB);
    }

    Optional<Integer> cores() {
        return read("--cores", PropertyType.integer(1, MAX_CORES));
    }

    /** The number of seconds to wait for the result. */
    int waitSeconds(int initial) {
        return read("--wait", PropertyType.integer(0, Integer.MAX_VALUE)).orElse(initial);
    }

    private <T> Optional<T> read(String option, PropertyType<T> type) {
        return text(option).map(text -> {
            try {
                return type.parse(text);
            } catch (IllegalArgumentException e) {
                throw invalid(option + ": " + e.getMessage());
            }
        });
    }

    static SkepException invalid(String what) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, what);
    }
}
