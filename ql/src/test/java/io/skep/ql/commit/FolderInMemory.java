package io.skep.ql.commit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary folders in memory where the system has an in-memory file system. Tests that inject faults
 * themselves force thousands of files. On a disk this takes most of their time and proves nothing more.
 */
final class FolderInMemory implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 512L << 20;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws IOException {
        boolean isThere = Files.isWritable(SHARED_MEMORY)
                && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= ENOUGH_BYTES;
        return isThere ? Files.createTempDirectory(SHARED_MEMORY, "skep") : Files.createTempDirectory("skep");
    }
}
