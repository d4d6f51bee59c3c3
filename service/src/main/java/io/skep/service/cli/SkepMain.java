package io.skep.service.cli;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.llap.server.process.DaemonArguments;
import io.skep.llap.server.yarn.LlapMain;
import io.skep.metastore.service.MetastoreMain;
import io.skep.service.ServerMain;
import io.skep.service.doctor.DoctorMain;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code bin/skep}: the tree of its commands, which prints their help, the completion script, and what is wrong. */
@Command(
        name = "bin/skep",
        description = "A SQL engine that replaces Apache Hive on Tez and LLAP.",
        synopsisSubcommandLabel = "COMMAND",
        footer = "bin/skep COMMAND --help prints the options of a command.")
public final class SkepMain {
    @Mixin
    HelpOption help = new HelpOption();

    private SkepMain() {}

    public static void main(String[] arguments) {
        System.exit(CommandRunner.run(tree(), arguments));
    }

    static CommandLine tree() {
        CommandLine tree = new CommandLine(new SkepMain())
                .addSubcommand("server", new ServerMain())
                .addSubcommand(new ScriptCommands.Demo())
                .addSubcommand(new ScriptCommands.Beeline())
                .addSubcommand("metastore", new MetastoreMain())
                .addSubcommand("doctor", new DoctorMain())
                .addSubcommand(new ScriptCommands.Drain())
                .addSubcommand(new ScriptCommands.Stop())
                .addSubcommand("llap", LlapMain.command())
                .addSubcommand(new UserCommand())
                .addSubcommand(new ScriptCommands.MakePackage());
        Objects.requireNonNull(tree.getSubcommands().get("llap")).addSubcommand(new ReadCommand());
        // Options for unknown names of subcommands, such as -e of Beeline, belong to Beeline.
        Objects.requireNonNull(tree.getSubcommands().get("beeline")).setUnmatchedOptionsArePositionalParams(true);
        return tree;
    }

    /** Prints a script for bash that completes commands and options. */
    @Command(name = "completion", description = "Prints a completion script for bash: source <(bin/skep completion)")
    void completion(@Mixin HelpOption asked) {
        System.out.println(script());
    }

    static String script() {
        CommandLine tree = tree();
        CommandLine llap = Objects.requireNonNull(tree.getSubcommands().get("llap"));
        CommandSpec daemon = CommandSpec.forAnnotatedObject(new DaemonArguments());
        llap.getSubcommands().forEach((name, command) -> {
            switch (name) {
                case "start" -> daemon.options().forEach(option -> add(command.getCommandSpec(), option));
                case "status", "stop" ->
                    add(command.getCommandSpec(), Objects.requireNonNull(daemon.findOption("--data")));
                default -> {
                    return;
                }
            }
            add(command.getCommandSpec(), OptionSpec.builder("--standalone").build());
        });
        return AutoComplete.bash("skep", tree);
    }

    /** Commands with and without {@code --standalone} have options of the same names. */
    private static void add(CommandSpec command, OptionSpec option) {
        if (command.findOption(option.longestName()) == null) {
            command.addOption(OptionSpec.builder(option).build());
        }
    }
}
