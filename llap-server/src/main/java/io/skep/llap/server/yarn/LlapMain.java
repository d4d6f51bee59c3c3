package io.skep.llap.server.yarn;

import io.skep.common.cli.CommandRunner;
import io.skep.common.log.ProcessLog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** {@code bin/skep llap} for daemons on YARN. */
public final class LlapMain {
    private LlapMain() {}

    public static void main(String[] arguments) {
        ProcessLog.start();
        CommandLine line = new CommandLine(command()).setCommandName("bin/skep llap");
        System.exit(CommandRunner.run(line, arguments));
    }

    /** Returns the command of this process. */
    public static LlapCommand command() {
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        Path home = Path.of(System.getProperty("skep.home", ""));
        return new LlapCommand(home, classPath, ContainerMain.class.getName(), System.getenv(), System.out::println);
    }
}
