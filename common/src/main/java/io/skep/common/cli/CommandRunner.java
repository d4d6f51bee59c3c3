package io.skep.common.cli;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs commands that are declared with picocli. The exit status is that of the command; 1 when it fails;
 * {@value #USAGE} for wrong usage, after the error, near names and the usage.
 */
public final class CommandRunner {
    /** Exit status for wrong usage. */
    public static final int USAGE = 2;

    private static final int FAILED = 1;
    private static final int WIDTH = 110;

    private CommandRunner() {}

    /** Runs a process's command, and prints errors. Returns the exit status. */
    public static int run(CommandLine command, String... arguments) {
        return command.setUsageHelpWidth(WIDTH)
                .setParameterExceptionHandler((e, given) -> wrongUsage(unknownFirst(e, given)))
                .setExecutionExceptionHandler((e, line, result) -> failed(e, line))
                .execute(arguments);
    }

    /**
     * Runs a command in a process that continues.
     *
     * @throws SkepException that of the command, or INVALID_CONFIGURATION for wrong usage
     */
    public static void call(CommandLine command, String... arguments) {
        try {
            var _ = new CommandLine.RunLast().execute(command.parseArgs(arguments));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        } catch (ParameterException e) {
            throw invalid(unknownFirst(e, arguments));
        }
    }

    /**
     * Reads options into an object with annotated fields.
     *
     * @return that object
     * @throws SkepException INVALID_CONFIGURATION for wrong usage
     */
    public static <T> T parse(T options, String... arguments) {
        try {
            var _ = new CommandLine(options).parseArgs(arguments);
            return options;
        } catch (ParameterException e) {
            throw invalid(unknownFirst(e, arguments));
        }
    }

    private static SkepException invalid(ParameterException e) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, message(e), e);
    }

    private static int wrongUsage(ParameterException e) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("skep: " + message(e));
        List<String> near = e instanceof UnmatchedArgumentException unmatched ? near(unmatched) : List.of();
        if (!near.isEmpty()) {
            err.println("skep: did you mean " + String.join(", ", near) + "?");
        }
        e.getCommandLine().usage(err);
        return USAGE;
    }

    /** Picocli reports a missing option before an unknown one, which may be that option with a typing error. */
    private static ParameterException unknownFirst(ParameterException e, String... arguments) {
        CommandLine command = e.getCommandLine();
        List<String> options = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith("-"))
                .filter(argument -> command.getCommandSpec().findOption(argument.split("=", 2)[0]) == null)
                .toList();
        return e instanceof MissingParameterException && !options.isEmpty()
                ? new UnmatchedArgumentException(command, options)
                : e;
    }

    private static List<String> near(UnmatchedArgumentException e) {
        String first = e.getUnmatched().getFirst();
        CommandLine command = e.getCommandLine();
        Collection<String> names = first.startsWith("-")
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return DidYouMean.of(first, names);
    }

    private static int failed(Exception e, CommandLine command) throws Exception {
        if (e instanceof SkepException expected) {
            command.getErr().println("skep: " + expected.fullMessage());
            return FAILED;
        }
        throw e;
    }

    private static String message(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unknown(unmatched);
            case MissingParameterException missing -> missing(missing);
            default -> String.valueOf(e.getMessage());
        };
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().getFirst();
        if (first.startsWith("-")) {
            return "unknown option " + first;
        }
        boolean hasCommands = !e.getCommandLine().getSubcommands().isEmpty();
        return (hasCommands ? "unknown command " : "unexpected argument ") + first;
    }

    /** An option that is not there, or one without its value, which picocli tells apart only in the text. */
    private static String missing(MissingParameterException e) {
        List<CommandLine.Model.ArgSpec> missing = e.getMissing();
        if (missing.isEmpty()) {
            return String.valueOf(e.getMessage());
        }
        String names = missing.stream()
                .map(argument -> argument instanceof CommandLine.Model.OptionSpec option
                        ? option.longestName()
                        : argument.paramLabel())
                .collect(Collectors.joining(", "));
        boolean withoutValue = String.valueOf(e.getMessage()).contains("parameter for option");
        return names + (withoutValue ? " needs a value" : " is missing");
    }
}
