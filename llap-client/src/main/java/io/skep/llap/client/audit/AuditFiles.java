package io.skep.llap.client.audit;

import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the audit log. Lines are appended to {@code audit.log}. When it is full, it is renamed to
 * {@code audit-N.log} with the next number, and the oldest of these is deleted when there are too many. Only whole
 * lines stay in a file: what a failed or interrupted write has left of a line is removed.
 *
 * <p>Not thread-safe: {@link AuditWriter} has one caller at a time. Interrupts of the callers change nothing, since a
 * {@link RandomAccessFile} does not listen to them, other than a channel.
 */
final class AuditFiles implements AuditTarget {
    static final String CURRENT = "audit.log";
    private static final String LOCK = "audit.lock";
    private static final Pattern ROTATED = Pattern.compile("audit-(\\d{1,18})\\.log");

    /** Other programs may move or delete the file. That is noticed after this time. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final int TAIL_BYTES = 8 << 10;

    private final Path folder;
    private final Path current;
    private final long maxFileBytes;
    private final int maxFiles;
    private final FileChannel lock;
    private @Nullable RandomAccessFile file;
    private @Nullable Object key;
    private long looked;

    /** The bytes of whole lines in the file. */
    private long length;

    private boolean damaged;

    private AuditFiles(Path folder, long maxFileBytes, int maxFiles, FileChannel lock) {
        this.folder = folder;
        this.current = folder.resolve(CURRENT);
        this.maxFileBytes = maxFileBytes;
        this.maxFiles = maxFiles;
        this.lock = lock;
    }

    /** @throws IOException when the folder cannot be written, or another server uses it */
    static AuditFiles open(Path folder, long maxFileBytes, int maxFiles) throws IOException {
        if (Files.notExists(folder)) {
            PrivateFiles.createDirectories(folder);
        }
        FileChannel lock = PrivateFiles.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        AuditFiles files = new AuditFiles(folder, maxFileBytes, maxFiles, lock);
        try {
            if (!isTaken(lock)) {
                throw new IOException("another server writes its audit log to " + folder);
            }
            files.file();
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
        return files;
    }

    private static boolean isTaken(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void append(byte[] lines) throws IOException {
        RandomAccessFile target = file();
        if (length > 0 && length + lines.length > maxFileBytes) {
            rotate();
            target = file();
        }
        damaged = true;
        try {
            target.write(lines);
        } catch (IOException e) {
            removeRest(e);
            throw e;
        }
        damaged = false;
        length += lines.length;
    }

    /** Removes what a failed write has left. If that fails too, the next call tries again. */
    private void removeRest(IOException failure) {
        try {
            file();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Returns the file, at the end of its last whole line. */
    private RandomAccessFile file() throws IOException {
        RandomAccessFile open = file;
        if (open != null && isElsewhere()) {
            close(open);
            open = null;
        }
        if (open == null) {
            PrivateFiles.create(current);
            open = new RandomAccessFile(current.toFile(), "rw");
            file = open;
            key = attributes().map(BasicFileAttributes::fileKey).orElse(null);
            length = wholeLines(open);
            damaged = true;
        }
        if (damaged) {
            open.setLength(length);
            open.seek(length);
            damaged = false;
        }
        return open;
    }

    private boolean isElsewhere() throws IOException {
        long now = System.nanoTime();
        if (now - looked < LOOK.toNanos()) {
            return false;
        }
        looked = now;
        Optional<BasicFileAttributes> there = attributes();
        return there.isEmpty() || !Objects.equals(there.get().fileKey(), key);
    }

    private Optional<BasicFileAttributes> attributes() throws IOException {
        try {
            return Optional.of(Files.readAttributes(current, BasicFileAttributes.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Returns the number of bytes up to the end of the last whole line. */
    private static long wholeLines(RandomAccessFile file) throws IOException {
        byte[] tail = new byte[TAIL_BYTES];
        long end = file.length();
        while (end > 0) {
            int part = (int) Math.min(end, TAIL_BYTES);
            file.seek(end - part);
            file.readFully(tail, 0, part);
            for (int i = part - 1; i >= 0; i--) {
                if (tail[i] == '\n') {
                    return end - part + i + 1;
                }
            }
            end -= part;
        }
        return 0;
    }

    private void rotate() throws IOException {
        List<Long> numbers = rotated();
        long next = numbers.isEmpty() ? 1 : numbers.getLast() + 1;
        Files.move(current, folder.resolve("audit-" + next + ".log"));
        RandomAccessFile full = file;
        if (full != null) {
            close(full);
        }
        // With the full file and the next one.
        for (long old : numbers.subList(0, Math.max(0, numbers.size() + 2 - maxFiles))) {
            Files.deleteIfExists(folder.resolve("audit-" + old + ".log"));
        }
    }

    /** Returns the numbers of the full files, oldest first. */
    private List<Long> rotated() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> ROTATED.matcher(path.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.valueOf(name.group(1)))
                    .sorted()
                    .toList();
        }
    }

    private void close(RandomAccessFile open) throws IOException {
        file = null;
        open.close();
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            RandomAccessFile open = file;
            if (open != null) {
                close(open);
            }
        }
    }
}
