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
 * Lists local folders and looks at local files through java.nio, with one system call a file. Queries list their
 * partitions each time and look at a file after each row group of it, and Hadoop's way parses several URIs for each.
 */
final class LocalEntries {
    private static final String SCHEME = "file:";

    private LocalEntries() {}

    /**
     * What {@link HadoopFileSystem#list} gives. Empty for what is not plainly the path of a readable local folder:
     * Hadoop's way knows what else it may be, and what to say of it.
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
     * What {@link HadoopFileSystem#find} gives; empty also for what is not plainly the path of a file that is there.
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

    /** Whether Hadoop would not write the path in another way. */
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
