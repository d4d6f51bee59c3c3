package io.skep.ql.commit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path on a {@link FaultyDisk}. */
record FaultyPath(Path path, FaultyDisk disk) implements Path {
    private @Nullable Path orNull(@Nullable Path other) {
        return other == null ? null : disk.faulty(other);
    }

    @Override
    public FileSystem getFileSystem() {
        return disk;
    }

    @Override
    public boolean isAbsolute() {
        return path.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return orNull(path.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return orNull(path.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return orNull(path.getParent());
    }

    @Override
    public int getNameCount() {
        return path.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return disk.faulty(path.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return disk.faulty(path.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return path.startsWith(FaultyDisk.real(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return path.endsWith(FaultyDisk.real(other));
    }

    @Override
    public Path normalize() {
        return disk.faulty(path.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return disk.faulty(path.resolve(FaultyDisk.real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return disk.faulty(path.relativize(FaultyDisk.real(other)));
    }

    @Override
    public URI toUri() {
        return path.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return disk.faulty(path.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return disk.faulty(path.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return path.compareTo(FaultyDisk.real(other));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
