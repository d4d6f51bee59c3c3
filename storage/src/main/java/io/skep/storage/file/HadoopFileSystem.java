package io.skep.storage.file;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.codec.BoundedCodecs;
import io.skep.storage.table.FileVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.jspecify.annotations.Nullable;

/**
 * Implements the storage file system over Hadoop's file systems. Local files are accessed without checksum files and
 * without forked commands.
 */
public final class HadoopFileSystem implements StorageFileSystem {
    private static final String LOCAL_SCHEME = "file:";
    private static final URI LOCAL = URI.create("file:///");

    private final Configuration configuration;
    private final CompressionCodecFactory codecs;
    private final DefaultFileSystem defaultFileSystem;

    /**
     * An instance of our own. Hadoop's shared instance may be of another class when other code in the process requested
     * it first.
     */
    private final LocalFiles local = new LocalFiles();

    private final LocalRenames renames = new LocalRenames();

    /** @param configuration is copied; in the copy, {@code file:} is {@link LocalFiles} */
    public HadoopFileSystem(Configuration configuration) {
        this.configuration = new Configuration(configuration);
        this.configuration.setClass("fs.file.impl", LocalFiles.class, FileSystem.class);
        BoundedCodecs.install(this.configuration);
        this.codecs = new CompressionCodecFactory(this.configuration);
        this.defaultFileSystem = DefaultFileSystem.of(this.configuration);
        try {
            local.initialize(LOCAL, this.configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String qualified(String path) {
        return defaultFileSystem.qualified(path);
    }

    /** Returns the configuration for format libraries. Copy it before you change it. */
    public Configuration configuration() {
        return configuration;
    }

    /** Returns Hadoop's file system of a path, for format libraries. */
    public FileSystem hadoop(String path) {
        try {
            return qualified(path).startsWith(LOCAL_SCHEME) ? local : new Path(path).getFileSystem(configuration);
        } catch (IOException e) {
            throw FileErrors.of("cannot reach the file system of", path, e);
        }
    }

    @Override
    public FileShell shell() {
        return new FileShell(configuration);
    }

    @Override
    public Optional<FileEntry> find(String path) {
        return LocalEntries.find(path).or(() -> findByHadoop(path));
    }

    private Optional<FileEntry> findByHadoop(String path) {
        try {
            FileSystem fileSystem = hadoop(path);
            return Optional.of(entry(fileSystem, fileSystem.getFileStatus(new Path(path))));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.of("cannot look at", path, e);
        }
    }

    @Override
    public FileEntry status(String path) {
        return find(path)
                .orElseThrow(() -> new SkepException(StandardErrorCode.MISSING_FILE, path + " does not exist"));
    }

    @Override
    public List<FileEntry> list(String folder) {
        return LocalEntries.list(folder).orElseGet(() -> listByHadoop(folder));
    }

    private List<FileEntry> listByHadoop(String folder) {
        try {
            List<FileEntry> entries = new ArrayList<>();
            FileSystem fileSystem = hadoop(folder);
            for (FileStatus status : fileSystem.listStatus(new Path(folder))) {
                if (!StorageFileSystem.hidden(status.getPath().getName())) {
                    entries.add(entry(fileSystem, status));
                }
            }
            entries.sort(Comparator.comparing(FileEntry::path));
            return entries;
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            throw FileErrors.of("cannot list", folder, e);
        }
    }

    @Override
    public List<FileEntry> listFiles(String folder) {
        return listBelow(folder, false);
    }

    private List<FileEntry> listBelow(String folder, boolean withFolders) {
        List<FileEntry> files = new ArrayList<>();
        for (FileEntry entry : list(folder)) {
            if (!entry.folder() || withFolders) {
                files.add(entry);
            }
            if (entry.folder()) {
                files.addAll(listBelow(entry.path(), withFolders));
            }
        }
        return files;
    }

    @Override
    public List<List<FileEntry>> listFiles(List<String> folders) {
        return listBelow(folders, false);
    }

    @Override
    public List<List<FileEntry>> listTrees(List<String> folders) {
        return listBelow(folders, true);
    }

    private List<List<FileEntry>> listBelow(List<String> folders, boolean withFolders) {
        List<List<FileEntry>> files = new ArrayList<>(Collections.nCopies(folders.size(), List.of()));
        Map<FileSystem, List<Integer>> together = new LinkedHashMap<>();
        for (int i = 0; i < folders.size(); i++) {
            Interruption.check();
            String folder = folders.get(i);
            if (folders.size() == 1 || folder.startsWith(DefaultFileSystem.LOCAL.prefix())) {
                files.set(i, listBelow(folder, withFolders));
            } else {
                together.computeIfAbsent(hadoop(folder), fileSystem -> new ArrayList<>())
                        .add(i);
            }
        }
        together.forEach((fileSystem, indexes) -> {
            List<String> listed = indexes.stream().map(folders::get).toList();
            List<List<FileEntry>> found = BatchedListing.of(fileSystem, listed.getFirst())
                    .map(batches -> batches.files(listed, withFolders))
                    .orElseGet(() -> listed.stream()
                            .map(folder -> listBelow(folder, withFolders))
                            .toList());
            for (int i = 0; i < found.size(); i++) {
                files.set(indexes.get(i), found.get(i));
            }
        });
        return files;
    }

    @Override
    public FileInput open(String path) {
        return open(status(path).version(), path);
    }

    @Override
    public FileInput open(FileVersion file) {
        verify(file);
        return open(file, file.path());
    }

    private FileInput open(FileVersion file, String path) {
        try {
            return new HadoopFileInput(path, hadoop(path).open(new Path(path)), file.length());
        } catch (IOException e) {
            throw FileErrors.of("cannot open", path, e);
        }
    }

    @Override
    public InputStream openDecompressed(FileVersion file) {
        verify(file);
        InputStream raw;
        try {
            raw = hadoop(file.path()).open(new Path(file.path()));
        } catch (IOException e) {
            throw FileErrors.of("cannot open", file.path(), e);
        }
        CompressionCodec codec = codec(file.path());
        return codec == null ? raw : decompressed(codec, raw, file.path());
    }

    /** Some codecs read the beginning of the file when the stream is created. */
    private static InputStream decompressed(CompressionCodec codec, InputStream raw, String path) {
        try {
            return codec.createInputStream(raw);
        } catch (IOException e) {
            SkepException failure = ReadErrors.of(path, "its head", e);
            try {
                raw.close();
            } catch (IOException suppressed) {
                failure.addSuppressed(suppressed);
            }
            throw failure;
        }
    }

    @Override
    public OutputStream create(String path) {
        try {
            return new CheckedOutput(path, hadoop(path).create(new Path(path), false));
        } catch (IOException e) {
            throw FileErrors.of("cannot create", path, e);
        }
    }

    @Override
    public void makeFolder(String path) {
        try {
            if (!hadoop(path).mkdirs(new Path(path))) {
                throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot make folder " + path);
            }
        } catch (IOException e) {
            throw FileErrors.of("cannot make folder", path, e);
        }
    }

    @Override
    public void rename(String from, String to) {
        try {
            if (isLocal(from) && isLocal(to)) {
                // Hadoop's local rename copies when it cannot rename, and leaves the copy behind when it cannot delete
                // the source.
                renames.rename(local(from), local(to));
                return;
            }
            FileSystem fileSystem = hadoop(from);
            if (fileSystem instanceof DistributedFileSystem hdfs) {
                // Fails when the target exists, even when it was created concurrently.
                hdfs.rename(new Path(from), new Path(to), Options.Rename.NONE);
            } else if (find(to).isPresent() || !fileSystem.rename(new Path(from), new Path(to))) {
                status(from);
                throw new SkepException(
                        StandardErrorCode.FILE_SYSTEM_ERROR,
                        "cannot rename " + from + " to " + to + ", which exists or lacks its folder");
            }
        } catch (IOException e) {
            throw FileErrors.of("cannot rename", from, e);
        }
    }

    private boolean isLocal(String path) {
        return qualified(path).startsWith(LOCAL_SCHEME);
    }

    private java.nio.file.Path local(String path) {
        return local.pathToFile(new Path(path)).toPath();
    }

    @Override
    public Optional<FileKey> key(String path) {
        try {
            return isLocal(path) ? FileKeys.local(local(path)) : FileKeys.hadoop(hadoop(path), new Path(path));
        } catch (IOException e) {
            throw FileErrors.of("cannot look at", path, e);
        }
    }

    @Override
    public List<String> names(String folder) {
        try {
            if (isLocal(folder)) {
                String[] names = local(folder).toFile().list();
                return names == null ? List.of() : List.of(names);
            }
            List<String> names = new ArrayList<>();
            for (FileStatus status : hadoop(folder).listStatus(new Path(folder))) {
                names.add(status.getPath().getName());
            }
            return names;
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            throw FileErrors.of("cannot list", folder, e);
        }
    }

    @Override
    public void deleteEmpty(String folder) {
        try {
            if (isLocal(folder)) {
                if (Files.isDirectory(local(folder), LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(local(folder));
                }
            } else if (find(folder).filter(FileEntry::folder).isPresent()
                    && names(folder).isEmpty()) {
                hadoop(folder).delete(new Path(folder), false);
            }
        } catch (DirectoryNotEmptyException | PathIsNotEmptyDirectoryException e) {
            // The folder is in use.
        } catch (IOException e) {
            throw FileErrors.of("cannot delete", folder, e);
        }
    }

    @Override
    public void force(String path) {
        if (isLocal(path)) {
            try {
                FileKeys.force(local(path));
            } catch (IOException e) {
                throw FileErrors.of("cannot force to the disk", path, e);
            }
        }
    }

    @Override
    public Optional<String> owner(String path) {
        if (!FilePermissions.hasUsers(qualified(path))) {
            return Optional.empty();
        }
        try {
            return Optional.of(hadoop(path).getFileStatus(new Path(path)).getOwner());
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.of("cannot look at", path, e);
        }
    }

    @Override
    public void give(String path, String user) {
        if (!FilePermissions.hasUsers(qualified(path))) {
            return;
        }
        try {
            hadoop(path).setOwner(new Path(path), user, null);
        } catch (IOException e) {
            SkepException failure = FileErrors.of("cannot make " + user + " the owner of", path, e);
            throw failure.code() == StandardErrorCode.ACCESS_DENIED
                    ? failure.withHint("only a superuser of HDFS may do so (dfs.permissions.superusergroup)")
                    : failure;
        }
    }

    @Override
    public boolean discard(String path, String former) {
        return TrashCan.moveToTrash(hadoop(path), new Path(path), new Path(former), configuration) || delete(path);
    }

    @Override
    public boolean delete(String path) {
        try {
            return hadoop(path).delete(new Path(path), true);
        } catch (IOException e) {
            throw FileErrors.of("cannot delete", path, e);
        }
    }

    @Override
    public boolean discard(String path) {
        return TrashCan.moveToTrash(hadoop(path), new Path(path), configuration) || delete(path);
    }

    @Override
    public void verify(FileVersion file) {
        FileVersion now = status(file.path()).version();
        boolean same = now.length() == file.length()
                && now.modificationTime() == file.modificationTime()
                && now.identity() == file.identity();
        if (!same) {
            throw new SkepException(
                            StandardErrorCode.FILE_SYSTEM_ERROR,
                            file.path() + " was changed while it was read: " + described(file) + " are "
                                    + described(now))
                    .withHint("run the statement again");
        }
    }

    private static String described(FileVersion file) {
        return file.length() + " bytes of " + file.modificationTime() + " (identity "
                + Long.toHexString(file.identity()) + ")";
    }

    @Override
    public boolean compressed(String path) {
        return codec(path) != null;
    }

    /** Returns the codec for the extension of a file name. */
    public @Nullable CompressionCodec codec(String path) {
        return codecs.getCodec(new Path(path));
    }

    static FileEntry entry(FileSystem fileSystem, FileStatus status) throws IOException {
        FileVersion version = new FileVersion(
                status.getPath().toString(),
                status.getLen(),
                status.getModificationTime(),
                FileIdentity.of(fileSystem, status));
        return new FileEntry(version, status.isDirectory());
    }
}
