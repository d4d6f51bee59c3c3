package io.skep.bench;

import io.skep.common.cli.HelpOption;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A benchmark of {@code bin/bench}.
 *
 * @param options each a name and a label for its value, such as {@code --rows N}, or only the name of a flag
 */
record Benchmark(String name, String description, List<String> options, Run run) {
    /** What it does with the options that it was started with. */
    interface Run {
        void with(Options options) throws Exception;
    }

    Benchmark {
        options = List.copyOf(options);
    }

    static Benchmark of(String name, Run run, String description, String... options) {
        return new Benchmark(name, description, List.of(options), run);
    }

    CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption()));
        spec.usageMessage().description(description);
        options.forEach(option -> spec.addOption(option(option)));
        return spec;
    }

    private static OptionSpec option(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? OptionSpec.builder(text).build()
                : OptionSpec.builder(text.substring(0, space))
                        .type(String.class)
                        .paramLabel(text.substring(space + 1))
                        .build();
    }
}
