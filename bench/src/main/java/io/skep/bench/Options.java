package io.skep.bench;

import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The options that a benchmark was started with; each benchmark has its own defaults. */
final class Options {
    private final ParseResult parsed;

    Options(ParseResult parsed) {
        this.parsed = parsed;
    }

    String text(String name, String byDefault) {
        OptionSpec option = parsed.matchedOption(name);
        return option == null ? byDefault : option.getValue();
    }

    long number(String name, long byDefault) {
        return read(name, Long::valueOf, byDefault);
    }

    double decimal(String name, double byDefault) {
        return read(name, Double::valueOf, byDefault);
    }

    boolean has(String flag) {
        return parsed.hasMatchedOption(flag);
    }

    /** What is wrong with them, to be thrown. */
    ParameterException wrong(String message) {
        return new ParameterException(parsed.commandSpec().commandLine(), message);
    }

    private <T> T read(String name, Function<String, T> type, T byDefault) {
        String text = text(name, "");
        try {
            return text.isEmpty() ? byDefault : type.apply(text);
        } catch (NumberFormatException e) {
            throw wrong(name + " takes a number, not '" + text + "'");
        }
    }
}
