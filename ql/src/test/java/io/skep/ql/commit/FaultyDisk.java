package io.skep.ql.commit;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The server's own disk, on which each change is a step that may fail. Changes are: creating a folder or a file,
 * writing (a failed write leaves half of the data on the disk), renaming, deleting, and opening a folder to force it.
 * Reads go to the underlying disk.
 */
final class FaultyDisk extends FileSystem {
    private final FileSystem disk;
    private final StepFaults faults;
    private final ChangeListener witness;
    private final Provider provider = new Provider();

    private FaultyDisk(FileSystem disk, StepFaults faults, ChangeListener witness) {
        this.disk = disk;
        this.faults = faults;
        this.witness = witness;
    }

    /** Receives notifications of completed changes. */
    interface ChangeListener {
        void changed();

        /** Called for a file whose content was forced to the disk, or for a folder whose entries were. */
        void forced(Path path);
    }

    /** Returns the same path on a disk that may fail. */
    static Path of(Path path, StepFaults faults) {
        return of(path, faults, new ChangeListener() {
            @Override
            public void changed() {}

            @Override
            public void forced(Path forced) {}
        });
    }

    static Path of(Path path, StepFaults faults, ChangeListener witness) {
        return new FaultyDisk(path.getFileSystem(), faults, witness).faulty(path);
    }

    Path faulty(Path path) {
        return new FaultyPath(path, this);
    }

    static Path real(Path path) {
        return path instanceof FaultyPath faulty ? faulty.path() : path;
    }

    private final class Provider extends FileSystemProvider {
        private FileSystemProvider below() {
            return disk.provider();
        }

        @Override
        public String getScheme() {
            return below().getScheme();
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return FaultyDisk.this;
        }

        @Override
        public Path getPath(URI uri) {
            return faulty(below().getPath(uri));
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            if (options.isEmpty() || options.equals(Set.of(StandardOpenOption.READ))) {
                return below().newByteChannel(real(path), options, attributes);
            }
            SeekableByteChannel channel = faults.onDisk(() -> below().newByteChannel(real(path), options, attributes));
            if (options.contains(StandardOpenOption.DSYNC)) {
                witness.forced(real(path));
            } else {
                witness.changed();
            }
            return new FaultyChannel(channel);
        }

        /** Opens a channel whose only use is to force a folder. This step counts as the force. */
        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            FileChannel channel = faults.onDisk(() -> below().newFileChannel(real(path), options, attributes));
            witness.forced(real(path));
            return channel;
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            DirectoryStream<Path> found = below().newDirectoryStream(real(folder), filter);
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return StreamSupport.stream(found.spliterator(), false)
                            .map(FaultyDisk.this::faulty)
                            .iterator();
                }

                @Override
                public void close() throws IOException {
                    found.close();
                }
            };
        }

        @Override
        public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
            faults.onDisk(() -> {
                below().createDirectory(real(folder), attributes);
                witness.changed();
                return true;
            });
        }

        @Override
        public void delete(Path path) throws IOException {
            faults.onDisk(() -> {
                below().delete(real(path));
                witness.changed();
                return true;
            });
        }

        @Override
        public void copy(Path from, Path to, CopyOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void move(Path from, Path to, CopyOption... options) throws IOException {
            faults.onDisk(() -> {
                below().move(real(from), real(to), options);
                witness.changed();
                return true;
            });
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return below().isSameFile(real(path), real(other));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return below().isHidden(real(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return below().getFileStore(real(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            below().checkAccess(real(path), modes);
        }

        @Override
        public <V extends FileAttributeView> @Nullable V getFileAttributeView(
                Path path, Class<V> type, LinkOption... options) {
            return below().getFileAttributeView(real(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return below().readAttributes(real(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
            return below().readAttributes(real(path), names, options);
        }

        @Override
        public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
            below().setAttribute(real(path), name, value, options);
        }
    }

    /** A channel whose failed writes leave half of the data on the disk. */
    private final class FaultyChannel implements SeekableByteChannel {
        private final SeekableByteChannel below;

        private FaultyChannel(SeekableByteChannel below) {
            this.below = below;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            ByteBuffer half = bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2);
            try {
                return faults.onDisk(() -> below.write(bytes));
            } finally {
                if (bytes.position() == half.position()) {
                    below.write(half);
                }
            }
        }

        @Override
        public int read(ByteBuffer bytes) throws IOException {
            return below.read(bytes);
        }

        @Override
        public long position() throws IOException {
            return below.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            below.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return below.size();
        }

        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            below.truncate(size);
            return this;
        }

        @Override
        public boolean isOpen() {
            return below.isOpen();
        }

        @Override
        public void close() throws IOException {
            below.close();
        }
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return disk.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return disk.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return disk.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return disk.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return disk.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return faulty(disk.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        PathMatcher below = disk.getPathMatcher(pattern);
        return path -> below.matches(real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return disk.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }
}
