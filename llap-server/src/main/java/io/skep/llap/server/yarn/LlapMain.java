package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** {@code bin/skep llap} for daemons on YARN. */
public final class LlapMain {
    private LlapMain() {}

    public static void main(String[] arguments) {
        ProcessLog.start();
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        Path home = Path.of(System.getProperty("skep.home", ""));
        try {
            new LlapCommand(home, classPath, ContainerMain.class.getName(), System.getenv(), System.out::println)
                    .run(arguments);
            System.exit(0);
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            System.exit(1);
        }
    }
}
