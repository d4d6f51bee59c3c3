package io.skep.metastore.hive;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.ForcedFolders;
import io.skep.metastore.database.Trees;
import io.skep.storage.file.DefaultFileSystem;
import io.skep.storage.file.FileErrors;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.HadoopSettings;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes folders of the warehouse. Local folders are handled without Hadoop, whose local file system
 * starts a process for each folder that it creates. Hadoop's classes are loaded only for other locations.
 */
final class WarehouseFiles {
    private static final String TRASH = "fs.trash.interval";

    private final DefaultFileSystem defaultFileSystem;
    private final Map<String, String> properties;

    @GuardedBy("this")
    private @Nullable Configuration settings;

    /** @param properties settings for Hadoop's file systems */
    WarehouseFiles(DefaultFileSystem defaultFileSystem, Map<String, String> properties) {
        this.defaultFileSystem = defaultFileSystem;
        this.properties = Map.copyOf(properties);
    }

    /** The content of a folder without hidden files. */
    record Figures(long files, long bytes) {
        static final Figures NONE = new Figures(0, 0);
    }

    @FunctionalInterface
    private interface Action<T> {
        T run() throws IOException;
    }

    boolean exists(String location) {
        return at(
                location,
                "look at",
                () -> isLocal(location)
                        ? Files.exists(local(location))
                        : hadoop(location).exists(path(location)));
    }

    /** Creates a folder and its parents. Returns false when it already exists. */
    boolean makeFolder(String location) {
        return at(location, "make", () -> {
            if (isLocal(location)) {
                Path folder = local(location);
                if (Files.isDirectory(folder)) {
                    return false;
                }
                ForcedFolders.create(folder);
                return true;
            }
            FileSystem files = hadoop(location);
            return !files.exists(path(location)) && files.mkdirs(path(location));
        });
    }

    /** Deletes a folder with all of its content. */
    void delete(String location) {
        at(location, "delete", () -> {
            if (isLocal(location)) {
                Trees.delete(local(location));
                return true;
            }
            return hadoop(location).delete(path(location), true);
        });
    }

    /** Deletes a folder with all of its content. Moves it to the trash when its file system has one. */
    void discard(String location) {
        if (isLocal(location) && !properties.containsKey(TRASH)) {
            delete(location);
        } else {
            new HadoopFileSystem(settings()).discard(path(location).toString());
        }
    }

    /** Deletes a folder when it is empty. */
    void deleteEmpty(String location) {
        at(location, "delete", () -> {
            if (isLocal(location)) {
                return isEmpty(local(location)) && Files.deleteIfExists(local(location));
            }
            FileSystem files = hadoop(location);
            return files.exists(path(location))
                    && files.listStatus(path(location)).length == 0
                    && files.delete(path(location), false);
        });
    }

    /** Returns the number and size of all files below a folder. They are zero when it does not exist. */
    Figures stats(String location) {
        return at(location, "list", () -> {
            if (isLocal(location)) {
                return localFigures(local(location));
            }
            FileSystem files = hadoop(location);
            return files.exists(path(location)) ? hadoopFigures(files, path(location)) : Figures.NONE;
        });
    }

    private static Figures localFigures(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return Figures.NONE;
        }
        long[] sums = new long[2];
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return !folder.equals(root) && isHidden(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (!isHidden(String.valueOf(file.getFileName()))) {
                    sums[0]++;
                    sums[1] += attributes.size();
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return new Figures(sums[0], sums[1]);
    }

    private static Figures hadoopFigures(FileSystem files, org.apache.hadoop.fs.Path folder) throws IOException {
        long count = 0;
        long bytes = 0;
        for (FileStatus status : files.listStatus(folder, path -> !isHidden(path.getName()))) {
            Figures part =
                    status.isDirectory() ? hadoopFigures(files, status.getPath()) : new Figures(1, status.getLen());
            count += part.files();
            bytes += part.bytes();
        }
        return new Figures(count, bytes);
    }

    private static boolean isHidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private boolean isLocal(String location) {
        return defaultFileSystem.qualified(location).startsWith("file:");
    }

    /** Locations are plain text, not URIs: a percent sign is not an escape. */
    private static Path local(String location) {
        String path = location.startsWith("file:") ? location.substring("file:".length()) : location;
        if (path.startsWith("//")) {
            path = path.substring(Math.max(path.indexOf('/', 2), 2));
        }
        return Path.of(path);
    }

    private static org.apache.hadoop.fs.Path path(String location) {
        return new org.apache.hadoop.fs.Path(location);
    }

    private FileSystem hadoop(String location) throws IOException {
        return path(location).getFileSystem(settings());
    }

    private synchronized Configuration settings() {
        Configuration made = settings == null ? HadoopSettings.of(properties) : settings;
        settings = made;
        return made;
    }

    private static <T> T at(String location, String what, Action<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw FileErrors.of("cannot " + what, location, e);
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot " + what + " " + location + ": " + e, e);
        }
    }
}
