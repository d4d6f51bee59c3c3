package io.skep.bench.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs a main class in another JVM, with the flags and class path of this JVM. */
public final class ForkedJvm {
    private final List<String> flags;

    /** @param flags flags in addition to those of this JVM, which they override */
    public ForkedJvm(List<String> flags) {
        this.flags = List.copyOf(flags);
    }

    /** Runs the child and returns its exit value. Its error output goes to this JVM's error output. */
    public int run(Class<?> main, List<String> arguments, Consumer<String> lines)
            throws IOException, InterruptedException {
        Process process = start(main, arguments);
        try (var output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
        }
        return process.waitFor();
    }

    /**
     * Starts the child for communication through its input and output. Its error output goes to this JVM's error
     * output.
     */
    public Process start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
