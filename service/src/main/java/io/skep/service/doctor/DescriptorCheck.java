package io.skep.service.doctor;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Checks whether a process may open enough files. Each connection, open file and spilled output uses one. */
record DescriptorCheck() implements Check {
    private static final long ENOUGH = 16_384;

    @Override
    public String part() {
        return "open files";
    }

    @Override
    public List<Finding> run() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system)) {
            return List.of(Finding.note(part(), "this Java does not tell the limit of open files"));
        }
        return List.of(judge(system.getMaxFileDescriptorCount(), part()));
    }

    static Finding judge(long limit, String part) {
        return limit >= ENOUGH
                ? Finding.ok(part, "a process may open " + limit)
                : Finding.warning(
                        part,
                        "a process may open " + limit + ", too few for many clients and large queries",
                        "set ulimit -n " + ENOUGH + " or more (LimitNOFILE of a systemd unit)");
    }
}
