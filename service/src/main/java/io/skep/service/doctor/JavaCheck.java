package io.skep.service.doctor;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Checks the Java version that a server would run on, and the system's limit of open files. */
final class JavaCheck implements Check {
    private static final int MIN_VERSION = 25;

    /** A connection, an open file and a spill file each use one descriptor. */
    private static final long MIN_OPEN_FILES = 8192;

    @Override
    public String part() {
        return "Java";
    }

    @Override
    public List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        Runtime.Version version = Runtime.version();
        findings.add(
                version.feature() >= MIN_VERSION
                        ? Finding.ok(
                                part(), version + ", " + Runtime.getRuntime().availableProcessors() + " cores")
                        : Finding.failure(
                                part(), "is " + version, "install JDK " + MIN_VERSION + " and set JAVA_HOME to it"));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            findings.add(openFiles(system.getMaxFileDescriptorCount()));
        }
        return findings;
    }

    static Finding openFiles(long most) {
        return most >= MIN_OPEN_FILES
                ? Finding.ok("open files", most + " at most")
                : Finding.warning(
                        "open files",
                        most + " at most, which many sessions use up",
                        "raise the limit to " + MIN_OPEN_FILES + " or more (ulimit -n)");
    }
}
