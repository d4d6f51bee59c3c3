package io.skep.ql.commit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Simulates the content of a folder on the disk after a power failure. Only forced data are certain to be there: the
 * content of a forced file, and the changes of a folder's entries before that folder was forced. Other changes may be
 * lost. Later changes of a folder are not kept without the earlier ones, nor without the folder. A rename, of a file or
 * of a folder with its whole content, is in both of its folders or in neither, as in every journaling file system.
 * Files and folders keep their inodes and times, so only their content shows a loss.
 *
 * <p>Before the failure, readers see the system's own file system. Code that changes it reports each change and each
 * force. Not thread-safe.
 */
final class VolatileDisk {
    /** The prefix of folder numbers. A file's number is its inode. */
    private static final String FOLDER = "folder";

    private static final String ROOT = FOLDER;

    private final Path root;
    private final Path graveyard;

    /** The numbers of folders by inode. An inode may be reused as soon as its folder is gone. */
    private final Map<String, String> folders = new HashMap<>();

    private final Set<String> forced = new HashSet<>();
    private final List<Change> changes = new ArrayList<>();
    private Map<Entry, String> onDisk;
    private Map<Entry, String> seen;
    private int numbered;

    /** A name in a folder, which is identified by its number. */
    private record Entry(String folder, String name) {}

    /** Entries that appear or disappear in one step. */
    private static final class Change {
        /** The new number of each entry; empty if the entry disappears. */
        private final Map<Entry, String> entries;

        /** The folders whose entries change. A new folder is on the disk before its content. */
        private final Set<String> folders = new HashSet<>();

        private boolean isForced;

        private Change(Map<Entry, String> entries, boolean isMade) {
            this.entries = entries;
            entries.forEach((entry, number) -> {
                folders.add(entry.folder());
                if (isMade && isFolder(number)) {
                    folders.add(number);
                }
            });
        }

        private boolean shares(Set<String> others) {
            return !Collections.disjoint(folders, others);
        }
    }

    /**
     * Creates a disk on which all current data are durable.
     *
     * @param graveyard an empty folder next to the root, on the same file system
     */
    VolatileDisk(Path root, Path graveyard) {
        this.root = root;
        this.graveyard = graveyard;
        this.seen = entries();
        this.onDisk = seen;
        forced.addAll(seen.values());
    }

    private static boolean isFolder(String number) {
        return number.startsWith(FOLDER);
    }

    /**
     * Returns all entries, folders before their content. Each file gets an additional link, from which it can be
     * restored.
     */
    private Map<Entry, String> entries() {
        Map<Entry, String> entries = new LinkedHashMap<>();
        Set<String> inodes = new HashSet<>();
        try {
            addEntries(root, ROOT, entries, inodes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        folders.keySet().retainAll(inodes);
        return entries;
    }

    private void addEntries(Path folder, String number, Map<Entry, String> entries, Set<String> inodes)
            throws IOException {
        for (Path path : children(folder)) {
            String inode = inode(path);
            Entry entry = new Entry(number, String.valueOf(path.getFileName()));
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                inodes.add(inode);
                String own = folders.computeIfAbsent(inode, key -> FOLDER + ++numbered);
                entries.put(entry, own);
                addEntries(path, own, entries, inodes);
            } else {
                if (!Files.exists(graveyard.resolve(inode))) {
                    Files.createLink(graveyard.resolve(inode), path);
                }
                entries.put(entry, inode);
            }
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.sorted().toList();
        }
    }

    private static String inode(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS).toString();
    }

    /** Returns the number of the file or folder at a path; empty if there is none. */
    private String number(Path path) {
        String number = ROOT;
        for (Path name : path.equals(root) ? List.<Path>of() : root.relativize(path)) {
            number = seen.getOrDefault(new Entry(number, name.toString()), "");
        }
        return number;
    }

    /**
     * Records changes since the last call. Deletions go one by one from the bottom up, creations from the top down; all
     * other changes are renames.
     */
    void changed() {
        Map<Entry, String> now = entries();
        Set<String> before = new HashSet<>(seen.values());
        Set<String> after = new HashSet<>(now.values());
        List<Change> gone = new ArrayList<>();
        List<Change> made = new ArrayList<>();
        Map<Entry, String> renamed = new LinkedHashMap<>();
        Set<Entry> all = new LinkedHashSet<>(seen.keySet());
        all.addAll(now.keySet());
        for (Entry entry : all) {
            String old = seen.getOrDefault(entry, "");
            String number = now.getOrDefault(entry, "");
            if (old.equals(number)) {
                continue;
            }
            if (number.isEmpty() && !after.contains(old)) {
                gone.addFirst(new Change(Map.of(entry, ""), false));
            } else if (!number.isEmpty() && !before.contains(number)) {
                made.add(new Change(Map.of(entry, number), true));
            } else {
                renamed.put(entry, number);
            }
        }
        changes.addAll(gone);
        changes.addAll(made);
        if (!renamed.isEmpty()) {
            changes.add(new Change(renamed, false));
        }
        seen = now;
    }

    /** Forces a file's content or a folder's entries to the disk. */
    void force(Path path) {
        changed();
        String number = number(path);
        if (!isFolder(number)) {
            forced.add(number);
            return;
        }
        changes.stream().filter(change -> change.shares(Set.of(number))).forEach(change -> change.isForced = true);
        // A change on the disk implies all earlier changes of its folders.
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change change = changes.get(i);
            if (change.isForced) {
                changes.subList(0, i).stream()
                        .filter(earlier -> earlier.shares(change.folders))
                        .forEach(earlier -> earlier.isForced = true);
            }
        }
    }

    /** Forces all current data to the disk, except for the content of folders with some names. */
    void forceAllBut(String... names) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                if (Stream.of(names)
                        .noneMatch(name -> root.relativize(path).startsWith(name)
                                || path.toString().contains("/" + name + "/")
                                || path.endsWith(name))) {
                    force(path);
                }
            }
        }
    }

    /**
     * Cuts the power and restores it.
     *
     * @param chance decides which unforced changes survive; without it all of them are lost
     */
    void cut(Optional<Random> chance) {
        changed();
        Map<Entry, String> left = new LinkedHashMap<>(onDisk);
        Set<String> lost = new HashSet<>();
        for (Change change : changes) {
            boolean isKept = chance.isPresent() && chance.get().nextBoolean() && !change.shares(lost);
            if (change.isForced || isKept) {
                change.entries.forEach((entry, number) -> {
                    if (number.isEmpty()) {
                        left.remove(entry);
                    } else {
                        left.put(entry, number);
                    }
                });
            } else {
                lost.addAll(change.folders);
            }
        }
        try {
            clear();
            restore(root, ROOT, left);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        changes.clear();
        seen = entries();
        onDisk = seen;
        forced.addAll(seen.values());
    }

    /** Clears the root. Keeps folders, to preserve their inodes. */
    private void clear() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                if (path.equals(root)) {
                    continue;
                }
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(path, graveyard.resolve(folders.get(inode(path))));
                } else {
                    Files.delete(path);
                }
            }
        }
    }

    /** Restores the entries of a folder. The content of a lost folder is lost as well. */
    private void restore(Path folder, String number, Map<Entry, String> left) throws IOException {
        for (Map.Entry<Entry, String> entry : left.entrySet()) {
            if (!entry.getKey().folder().equals(number)) {
                continue;
            }
            Path path = folder.resolve(entry.getKey().name());
            Path kept = graveyard.resolve(entry.getValue());
            if (!isFolder(entry.getValue())) {
                if (!forced.contains(entry.getValue())) {
                    blank(kept);
                }
                Files.createLink(path, kept);
                continue;
            }
            if (Files.isDirectory(kept)) {
                Files.move(kept, path);
            } else {
                Files.createDirectory(path);
            }
            restore(path, entry.getValue(), left);
        }
    }

    /** Overwrites a file with zeros, as if its length had reached the disk before its content. */
    private static void blank(Path file) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        Files.write(file, new byte[(int) Files.size(file)]);
        Files.setLastModifiedTime(file, time);
    }

    /** Returns tables' files on this disk. */
    TableFiles files(TableFiles below) {
        return (TableFiles) Proxy.newProxyInstance(
                TableFiles.class.getClassLoader(), new Class<?>[] {TableFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("force")) {
                        force(Path.of(((String) arguments[0]).substring("file:".length())));
                        return null;
                    }
                    try {
                        Object result = method.invoke(below, arguments);
                        if (method.getReturnType() == void.class) {
                            changed();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
