package io.skep.itests.yarn;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A daemon as {@code llap status} describes it. */
record RunningDaemon(String container, String node, String endpoint, String pages, long pid, long generation) {
    private static final Pattern LINE =
            Pattern.compile("  (\\S+) ready on (\\S+), at (\\S+), pages (\\d+), process (\\d+), generation (\\d+)");

    /** Parses a line. Returns empty for lines that do not describe a daemon. */
    static Optional<RunningDaemon> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new RunningDaemon(
                        matcher.group(1),
                        matcher.group(2),
                        matcher.group(3),
                        "http://" + matcher.group(3).replaceAll(":\\d+$", ":" + matcher.group(4)) + "/",
                        Long.parseLong(matcher.group(5)),
                        Long.parseLong(matcher.group(6))))
                : Optional.empty();
    }

    boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
