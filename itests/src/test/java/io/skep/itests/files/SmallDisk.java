package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A disk in memory with little room, mounted on a folder. */
public record SmallDisk(Path folder) implements AutoCloseable {
    /**
     * Mounts it; skips the test when that is not allowed here.
     *
     * @param size as mount takes it, {@code 3m}
     */
    public static SmallDisk mount(Path folder, String size) throws IOException, InterruptedException {
        boolean mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
        assumeTrue(mounted, "may mount a disk");
        return new SmallDisk(folder);
    }

    /** Also when files on it are still open: the server's cache of open files may have some. */
    @Override
    public void close() throws IOException {
        try {
            assertThat(succeeds("umount", "--lazy", folder.toString())).isTrue();
        } catch (InterruptedException e) {
            throw new IOException("interrupted while " + folder + " was unmounted", e);
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                == 0;
    }
}
