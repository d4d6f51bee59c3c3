package io.skep.engine.operator.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The processes of a script's run: the script and its descendants, also those whose parents have ended. They are found
 * by the variable that they inherit, where the system shows environments (Linux). A process that has removed the
 * variable and whose parents have all ended is not found.
 */
final class ScriptTree {
    /** Rounds of a search for processes that others start while they are killed. */
    private static final int ROUNDS = 20;

    private static final Path PROCESSES = Path.of("/proc");

    private final Process script;
    private final byte[] mark;

    ScriptTree(Process script, String run) {
        this.script = script;
        this.mark = (ScriptVariables.RUN + "=" + run + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Kills all processes of the run. What they have written can still be read: a Process would close its pipes. */
    void kill() {
        Set<ProcessHandle> below = new HashSet<>(script.descendants().toList());
        script.toHandle().destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        for (int i = 0; i < ROUNDS; i++) {
            List<ProcessHandle> left = marked();
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private List<ProcessHandle> marked() {
        if (!Files.isDirectory(PROCESSES)) {
            return List.of();
        }
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> isMarked(process.pid())).toList();
        }
    }

    /**
     * Whether a process has the variable. Processes of others, and those that have ended, show no environment. Linux
     * starts no process with arguments and variables of more than 6 MB.
     */
    private boolean isMarked(long process) {
        try {
            byte[] environment =
                    Files.readAllBytes(PROCESSES.resolve(Long.toString(process)).resolve("environ"));
            return contains(environment);
        } catch (IOException hidden) {
            return false;
        }
    }

    private boolean contains(byte[] environment) {
        for (int i = 0; i + mark.length <= environment.length; i++) {
            boolean starts = i == 0 || environment[i - 1] == 0;
            if (starts && Arrays.equals(environment, i, i + mark.length, mark, 0, mark.length)) {
                return true;
            }
        }
        return false;
    }
}
