package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.common.log.ProcessLog;
import io.skep.service.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Implements {@code bin/skep doctor}. Prints the findings. The exit status is 0 when nothing has failed, 1 when
 * something has failed, and 2 for wrong arguments.
 */
public final class DoctorMain {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private DoctorMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ProcessLog.start();
        ServerOptions.Places places;
        try {
            places = ServerOptions.Places.parse(arguments);
        } catch (SkepException e) {
            System.err.println("skep: " + e.fullMessage());
            System.exit(2);
            return;
        }
        List<Check> checks = new ArrayList<>(Doctor.checks(places.data(), places.site()));
        checks.add(new YarnCheck(Optional.ofNullable(System.getenv("HADOOP_CONF_DIR")), places.conf()));
        DoctorReport report = new DoctorReport(new Doctor(LIMIT).examine(checks));
        System.out.print(report.text());
        System.out.flush();
        System.exit(report.healthy() ? 0 : 1);
    }
}
