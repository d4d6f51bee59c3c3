package io.skep.ql.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.ScriptFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The files of ADD FILE and ADD ARCHIVE, which scripts find in their working folders under their own names. They stay
 * where they are and are read when a query needs them. Thread-safe.
 */
public final class SessionFiles {
    private final SettingRules rules;

    @GuardedBy("this")
    private final Set<Entry> entries = new LinkedHashSet<>();

    /** What a file is added as. */
    public enum Kind {
        FILE,
        ARCHIVE
    }

    private record Entry(Kind kind, Path path) {}

    SessionFiles(SettingRules rules) {
        this.rules = rules;
    }

    /**
     * @param path a path that statements may name
     * @throws SkepException MISSING_FILE, INVALID_PATH, or DISK_FULL when the files would exceed the session's limit
     */
    public synchronized void add(Kind kind, Path path) {
        if (!Files.isReadable(path)) {
            throw new SkepException(StandardErrorCode.MISSING_FILE, path + " does not exist");
        }
        if (!Files.isRegularFile(path)) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, path + " is not a regular file")
                    .withHint("a folder can be added as an archive of it");
        }
        Entry added = new Entry(kind, path.toAbsolutePath().normalize());
        boolean taken = entries.stream()
                .anyMatch(
                        entry -> entry.path().getFileName().equals(added.path().getFileName())
                                && !entry.path().equals(added.path()));
        if (taken) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            "the session has another file named '" + path.getFileName() + "'")
                    .withHint("scripts find files by their names; DELETE FILE the other one first");
        }
        Set<Entry> all = new LinkedHashSet<>(entries);
        all.add(added);
        checkSize(path, all);
        entries.removeIf(entry -> entry.path().equals(added.path()));
        entries.add(added);
    }

    private void checkSize(Path added, Set<Entry> all) {
        long bytes = all.stream()
                .map(Entry::path)
                .distinct()
                .mapToLong(SessionFiles::size)
                .sum();
        long most = rules.maxJarBytes();
        if (bytes > most) {
            throw new SkepException(
                            StandardErrorCode.DISK_FULL,
                            "with " + added + " the session's files have " + bytes + " bytes, and may have " + most)
                    .withHint("DELETE FILE those that are not needed, or raise " + SettingRules.MAX_JARS.name());
        }
    }

    /** Returns the size of a file; 0 if it has been deleted. */
    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException gone) {
            return 0;
        }
    }

    public synchronized void remove(Kind kind, Path path) {
        entries.remove(new Entry(kind, path.toAbsolutePath().normalize()));
    }

    /** Returns the paths of the files of a kind, in the order in which they were added. */
    public synchronized List<String> paths(Kind kind) {
        return entries.stream()
                .filter(entry -> entry.kind() == kind)
                .map(entry -> entry.path().toString())
                .toList();
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the files as plans name them. */
    public synchronized List<ScriptFile> ofScripts() {
        List<ScriptFile> files = new ArrayList<>();
        for (Entry entry : entries) {
            files.add(new ScriptFile(entry.path().toUri().toString(), entry.kind() == Kind.ARCHIVE));
        }
        return List.copyOf(files);
    }
}
