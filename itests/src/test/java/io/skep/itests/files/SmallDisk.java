package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A small in-memory disk that is mounted on a folder. */
public record SmallDisk(Path folder) implements AutoCloseable {
    /**
     * Mounts a disk. Skips the test where this is not allowed.
     *
     * @param size the size as mount accepts it, such as {@code 3m}
     */
    public static SmallDisk mount(Path folder, String size) throws IOException, InterruptedException {
        boolean mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
        assumeTrue(mounted, "may mount a disk");
        return new SmallDisk(folder);
    }

    /**
     * Unmounts the disk even if files on it are still open, because the server's cache of open files may contain some.
     */
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
