package io.skep.storage.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Renames local files and folders without ever replacing a target. POSIX rename() replaces the target, and so does
 * ATOMIC_MOVE. A hard link followed by an unlink takes two steps. A process that is suspended between them could later
 * unlink a file that another process has put back. On Linux, renameat2() with RENAME_NOREPLACE renames in one step.
 * Elsewhere, and on file systems without it (NFS), the target is checked before the rename. That check only protects
 * against concurrent renames of this process. Thread-safe.
 */
final class LocalRenames {
    /** From fcntl.h: paths are relative to the working directory. Absolute paths are not affected. */
    private static final int AT_FDCWD = -100;

    /** From linux/fs.h. */
    private static final int RENAME_NOREPLACE = 1;

    /** From errno.h of Linux. */
    private static final int EEXIST = 17;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final Optional<MethodHandle> renameat2 = find();
    private final Lock lookedAt = new ReentrantLock();
    private final Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    @SuppressWarnings("restricted")
    private static Optional<MethodHandle> find() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return Optional.empty();
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("renameat2")
                .map(address -> linker.downcallHandle(
                        address,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT),
                        Linker.Option.captureCallState("errno")));
    }

    /**
     * @param from an absolute path, as is {@code to}
     * @throws FileAlreadyExistsException when {@code to} exists
     */
    void rename(Path from, Path to) throws IOException {
        boolean isEncoded = names.newEncoder().canEncode(from.toString())
                && names.newEncoder().canEncode(to.toString());
        int error = renameat2.isPresent() && isEncoded ? error(renameat2.get(), from, to) : -1;
        if (error == EEXIST) {
            throw exists(from, to);
        }
        if (error != 0) {
            // Falls back to this rename also because its exception describes the failure.
            renameLookedAt(from, to);
        }
    }

    private int error(MethodHandle rename, Path from, Path to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) rename.invokeExact(
                    state,
                    AT_FDCWD,
                    arena.allocateFrom(from.toString(), names),
                    AT_FDCWD,
                    arena.allocateFrom(to.toString(), names),
                    RENAME_NOREPLACE);
            return result == 0 ? 0 : (int) ERRNO.get(state, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("renameat2 cannot be called", e);
        }
    }

    private void renameLookedAt(Path from, Path to) throws IOException {
        lookedAt.lock();
        try {
            if (Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
                throw exists(from, to);
            }
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            lookedAt.unlock();
        }
    }

    private static FileAlreadyExistsException exists(Path from, Path to) {
        return new FileAlreadyExistsException(
                to.toString(), null, "cannot rename " + from + " to " + to + ", which exists");
    }
}
