package io.skep.llap.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Reads how much memory Linux reports as available to processes: free memory plus reclaimable file caches. */
final class AvailableMemory {
    private static final Path FIGURES = Path.of("/proc/meminfo");
    private static final String NAME = "MemAvailable:";
    private static final int KILOBYTE = 1024;

    private AvailableMemory() {}

    /** Returns the available bytes, or empty where the system does not report them. */
    static OptionalLong read() {
        try {
            return Files.isReadable(FIGURES) ? of(Files.readAllLines(FIGURES)) : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong of(List<String> lines) {
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length == 3
                    && words[0].equals(NAME)
                    && words[2].equals("kB")
                    && words[1].matches("[0-9]{1,15}")) {
                return OptionalLong.of(Long.parseLong(words[1]) * KILOBYTE);
            }
        }
        return OptionalLong.empty();
    }
}
