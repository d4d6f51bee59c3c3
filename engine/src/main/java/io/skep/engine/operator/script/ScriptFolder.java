package io.skep.engine.operator.script;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.ScriptFile;
import io.skep.engine.spill.SpillFolder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;

/**
 * The working folder of a script with copies of the session's files, so that a script cannot change the originals. All
 * copies may be executed, and their bytes count as bytes that the task spills.
 */
final class ScriptFolder {
    private static final int CHUNK = 256 << 10;

    private final SpillFolder folder;
    private final BooleanSupplier cancelled;

    private ScriptFolder(SpillFolder folder, BooleanSupplier cancelled) {
        this.folder = folder;
        this.cancelled = cancelled;
    }

    /**
     * Puts the files into an empty folder.
     *
     * @param local finds a file on this machine by its URI
     */
    static void fill(
            SpillFolder folder, List<ScriptFile> files, Function<String, Path> local, BooleanSupplier cancelled) {
        ScriptFolder target = new ScriptFolder(folder, cancelled);
        for (ScriptFile file : files) {
            Path source = local.apply(file.uri());
            Path to = folder.path().resolve(file.name());
            try {
                if (file.archive()) {
                    target.unpack(file.name(), source, to);
                } else {
                    try (InputStream in = Files.newInputStream(source)) {
                        target.copy(in, to);
                    }
                }
            } catch (IOException e) {
                throw ScriptErrors.start("The file " + file.uri() + " cannot be copied to " + to + ": " + e, e);
            }
        }
    }

    private void unpack(String name, Path source, Path to) throws IOException {
        Files.createDirectories(to);
        String lower = name.toLowerCase(Locale.ROOT);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(source), CHUNK)) {
            if (lower.endsWith(".zip") || lower.endsWith(".jar")) {
                unpack(new ZipArchiveInputStream(in), to);
            } else if (lower.endsWith(".tar.gz") || lower.endsWith(".tgz")) {
                unpack(new TarArchiveInputStream(new GZIPInputStream(in)), to);
            } else if (lower.endsWith(".tar")) {
                unpack(new TarArchiveInputStream(in), to);
            } else {
                throw ScriptErrors.start(
                        "'" + name + "' is no archive: names end with .zip, .jar, .tar, .tar.gz or .tgz", null);
            }
        }
    }

    private void unpack(ArchiveInputStream<?> archive, Path to) throws IOException {
        try (archive) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                Path target = to.resolve(entry.getName()).normalize();
                if (!target.startsWith(to)) {
                    throw ScriptErrors.start("An archive has the name '" + entry.getName() + "'", null);
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else if (isPlain(entry)) {
                    Files.createDirectories(target.getParent() == null ? to : target.getParent());
                    copy(archive, target);
                } else {
                    throw ScriptErrors.start(
                            "An archive has '" + entry.getName() + "', which is neither a file nor a folder", null);
                }
            }
        }
    }

    /** Whether an entry is a file. Links are not, since they may lead out of the folder. */
    private static boolean isPlain(ArchiveEntry entry) {
        return !(entry instanceof TarArchiveEntry tar) || tar.isFile() && !tar.isLink() && !tar.isSymbolicLink();
    }

    private void copy(InputStream in, Path to) throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(to)) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                if (cancelled.getAsBoolean()) {
                    throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was cancelled");
                }
                folder.reserve(count);
                write(out, chunk, count, to);
            }
        }
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Writes a part of a file. Only errors of the target are those of the disk of the folder. */
    private void write(OutputStream out, byte[] chunk, int count, Path to) {
        try {
            out.write(chunk, 0, count);
        } catch (IOException e) {
            throw folder.failure(to, e);
        }
    }
}
