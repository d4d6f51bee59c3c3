package io.skep.service.doctor;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import io.skep.service.server.PlaceArguments;
import io.skep.service.server.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Implements {@code bin/skep doctor}. Prints the findings. The exit status is 0 when nothing has failed, 1 when
 * something has failed, and 2 for wrong arguments.
 */
@Command(name = "doctor", description = "Checks every part that a server needs; says what is wrong and how to fix it.")
public final class DoctorMain implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    HelpOption help = new HelpOption();

    @Mixin
    private PlaceArguments arguments = new PlaceArguments();

    public static void main(String[] arguments) {
        ProcessLog.start();
        CommandLine line = new CommandLine(new DoctorMain()).setCommandName("bin/skep doctor");
        System.exit(CommandRunner.run(line, arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        ServerOptions.Places places;
        try {
            places = ServerOptions.Places.of(arguments);
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            return CommandRunner.USAGE;
        }
        List<Check> checks = Doctor.checks(
                places.data(), places.site(), Optional.ofNullable(System.getenv("HADOOP_CONF_DIR")), places.conf());
        DoctorReport report = new DoctorReport(new Doctor(LIMIT).runChecks(checks));
        System.out.print(report.text());
        System.out.flush();
        return report.healthy() ? 0 : 1;
    }
}
