package io.skep.common.cli;

import picocli.CommandLine.Option;

/** The option that every command has. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    boolean help;
}
