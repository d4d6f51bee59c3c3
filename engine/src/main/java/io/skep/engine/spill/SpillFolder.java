package io.skep.engine.spill;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A folder for files that are no batches, such as those that a script works with. Its owner reserves the bytes of the
 * files that it puts there. Deleted by {@link #close} with all that is in it.
 */
public final class SpillFolder implements AutoCloseable {
    private final SpillSpace space;
    private final Path path;
    /** Guarded by the space's account. */
    long chargedBytes;

    SpillFolder(SpillSpace space, Path path) {
        this.space = space;
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /**
     * Charges bytes of a file in the folder.
     *
     * @throws SkepException DISK_FULL when the task or its process may not use so much
     */
    public void reserve(long bytes) {
        space.grow(this, bytes);
    }

    /** Returns the error of a file that cannot be written. */
    public SkepException failure(Path file, IOException cause) {
        return SpillSpace.failure(file, cause);
    }

    SkepException isClosed() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "the folder " + path + " is gone");
    }

    @Override
    public void close() {
        try {
            if (Files.exists(path)) {
                Files.walkFileTree(path, new Deletion());
            }
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot delete the folder " + path + ": " + e, e);
        } finally {
            space.forget(this);
        }
    }

    /** Deletes everything, also what its program has closed to its owner, and what another thread deletes as well. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            if (!Files.isWritable(folder) || !Files.isExecutable(folder)) {
                open(folder);
            }
            return FileVisitResult.CONTINUE;
        }

        private static void open(Path folder) throws IOException {
            PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
            if (view != null) {
                view.setPermissions(PosixFilePermissions.fromString("rwx------"));
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
