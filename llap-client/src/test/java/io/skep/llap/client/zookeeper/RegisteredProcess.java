package io.skep.llap.client.zookeeper;

import io.skep.llap.client.registry.DaemonCapacity;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process that registers as a daemon and stays until its standard input ends or it is killed. */
final class RegisteredProcess {
    private RegisteredProcess() {}

    static Process start(String connectString, Duration session, String incarnation, int port) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                RegisteredProcess.class.getName(),
                connectString,
                Long.toString(session.toMillis()),
                incarnation,
                Integer.toString(port));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Suspends or resumes a process without its knowledge. */
    static void signal(Process process, String name) throws IOException, InterruptedException {
        int ended = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (ended != 0) {
            throw new IOException("kill -" + name + " ended with " + ended);
        }
    }

    public static void main(String[] arguments) throws IOException {
        ZooKeeperConfig config = new ZooKeeperConfig(
                arguments[0],
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Duration.ofSeconds(20),
                Duration.ofMillis(20),
                3,
                Optional.empty());
        DaemonOffer offer = new DaemonOffer(
                arguments[2], "127.0.0.1", Integer.parseInt(arguments[3]), 0, new DaemonCapacity(2, 100, 200));
        try (ZooKeeperClient client = ZooKeeperClient.open(config);
                ZooKeeperRegistry registry = ZooKeeperRegistry.open(client, "test", "r");
                DaemonRegistration registration = registry.register(offer)) {
            while (System.in.read() >= 0) {
                System.out.println(registration.identity());
            }
        }
    }
}
