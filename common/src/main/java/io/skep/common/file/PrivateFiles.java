package io.skep.common.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Folders and files that only the user of the process may access, whatever its umask: folders 0700, files 0600. A file
 * system without such permissions uses its own defaults.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?>[] NONE = {};

    private PrivateFiles() {}

    /** Creates a private folder and its missing parents, which are private too. An existing folder becomes private. */
    public static Path createDirectories(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            if (hasPermissions(folder) && !Files.getPosixFilePermissions(folder).equals(FOLDER)) {
                Files.setPosixFilePermissions(folder, FOLDER);
            }
            return folder;
        }
        return Files.createDirectories(folder, attributes(folder, FOLDER));
    }

    /** Opens a file. A file that this call creates is private. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes(file, FILE));
    }

    /**
     * Creates an empty private file, or makes an existing file private. What is written to it afterwards only its owner
     * can read.
     */
    public static Path create(Path file) throws IOException {
        if (Files.notExists(file)) {
            return Files.createFile(file, attributes(file, FILE));
        }
        if (hasPermissions(file)) {
            Files.setPosixFilePermissions(file, FILE);
        }
        return file;
    }

    /**
     * Reads a file with secrets that a setting names.
     *
     * @throws SkepException INVALID_CONFIGURATION when it cannot be read, is too long or is accessible to other users
     */
    public static String readSecrets(String setting, Path file, int maxBytes) {
        try {
            if (!isPrivate(file)) {
                throw refused(setting, file, "is open to other users of this machine")
                        .withHint("close it with: chmod 600 " + file);
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(maxBytes + 1);
                if (bytes.length > maxBytes) {
                    throw refused(setting, file, "has more than " + maxBytes + " bytes");
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, setting + ": " + file + " cannot be read: " + e, e);
        }
    }

    private static SkepException refused(String setting, Path file, String why) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, setting + ": " + file + " " + why);
    }

    /** Makes a folder and everything below it private. */
    public static void restrict(Path folder) throws IOException {
        if (!hasPermissions(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                Files.setPosixFilePermissions(path, FOLDER);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    Files.setPosixFilePermissions(path, FILE);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Whether only its owner may access a file. Also true when the file system has no permissions. */
    public static boolean isPrivate(Path file) throws IOException {
        if (!hasPermissions(file)) {
            return true;
        }
        Set<PosixFilePermission> others = EnumSet.copyOf(FOLDER);
        others.addAll(Files.getPosixFilePermissions(file));
        return others.equals(FOLDER);
    }

    private static boolean hasPermissions(Path path) {
        return Files.getFileAttributeView(path, PosixFileAttributeView.class) != null;
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return hasPermissions(path) ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)} : NONE;
    }
}
