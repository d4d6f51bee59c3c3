package io.skep.storage.file;

import io.skep.storage.table.FileVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists local folders and reads the attributes of local files through java.nio, with one system call per file. Queries
 * list their partitions each time and check a file after each of its row groups. Hadoop's implementation parses several
 * URIs for each of these calls.
 */
final class LocalEntries {
    private static final String SCHEME = "file:";

    private LocalEntries() {}

    /**
     * Returns what {@link HadoopFileSystem#list} returns. Returns empty for any path that is not plainly a readable
     * local folder. Hadoop's implementation handles these paths and reports their errors.
     */
    static Optional<List<FileEntry>> list(String folder) {
        if (!isPlain(folder)) {
            return Optional.empty();
        }
        String local = folder.substring(SCHEME.length());
        String[] names = new File(local).list();
        if (names == null) {
            return Optional.empty();
        }
        Arrays.sort(names);
        List<FileEntry> entries = new ArrayList<>(names.length);
        try {
            for (String name : names) {
                if (!StorageFileSystem.hidden(name)) {
                    Map<String, Object> found = Files.readAttributes(Path.of(local, name), LocalStatus.ATTRIBUTES);
                    entries.add(entry(folder + "/" + name, found));
                }
            }
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
        return Optional.of(entries);
    }

    /**
     * Returns what {@link HadoopFileSystem#find} returns. Also returns empty for any path that is not plainly an
     * existing local file.
     */
    static Optional<FileEntry> find(String path) {
        if (!isPlain(path)) {
            return Optional.empty();
        }
        try {
            Path local = Path.of(path.substring(SCHEME.length()));
            return Optional.of(entry(path, Files.readAttributes(local, LocalStatus.ATTRIBUTES)));
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Whether Hadoop would keep the path as it is written. */
    private static boolean isPlain(String folder) {
        return folder.startsWith("file:/")
                && folder.length() > SCHEME.length() + 1
                && !folder.endsWith("/")
                && !folder.contains("//")
                && !folder.contains("/.");
    }

    private static FileEntry entry(String path, Map<String, Object> found) {
        boolean directory = LocalStatus.folder(found);
        FileVersion version = new FileVersion(
                path,
                directory ? 0 : LocalStatus.number(found, "size"),
                LocalStatus.time(found, "lastModifiedTime").toMillis(),
                directory ? FileIdentity.NONE : LocalStatus.identity(found));
        return new FileEntry(version, directory);
    }
}
