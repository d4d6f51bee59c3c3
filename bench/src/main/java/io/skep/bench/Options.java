package io.skep.bench;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Command-line options: {@code --name value}, and flags without a value. */
final class Options {
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    /** @throws IllegalArgumentException for an unknown option or flag */
    static Options parse(String[] arguments, int from, Set<String> options, Set<String> flags) {
        Options parsed = new Options();
        for (int i = from; i < arguments.length; i++) {
            String name = arguments[i];
            if (flags.contains(name)) {
                parsed.flags.add(name);
            } else if (options.contains(name) && i + 1 < arguments.length) {
                parsed.values.put(name, arguments[++i]);
            } else {
                throw new IllegalArgumentException("unknown option " + name + "; options are " + options + " " + flags);
            }
        }
        return parsed;
    }

    String text(String name, String byDefault) {
        return values.getOrDefault(name, byDefault);
    }

    long number(String name, long byDefault) {
        String text = values.get(name);
        return text == null ? byDefault : Long.parseLong(text);
    }

    double decimal(String name, double byDefault) {
        String text = values.get(name);
        return text == null ? byDefault : Double.parseDouble(text);
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }
}
