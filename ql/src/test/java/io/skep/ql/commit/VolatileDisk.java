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
 * What the disk has of a folder when the power fails. Only what was forced is sure to be there: the content of a file that was forced, and
 * the changes of a folder's entries before that folder was forced. Other changes are lost or not, the later ones of a folder not without
 * the earlier ones, nor without the folder; a rename, of a file or of a folder with all that is in it, is in both of its folders or in
 * none, as in every file system that keeps a journal. Files and folders keep their inodes and times, so that nothing but their content
 * tells that it was lost.
 *
 * <p>What is seen before is the system's own file system; who changes it tells when it has, and what it forces. Not thread-safe.
 */
final class VolatileDisk {
    /** What the numbers of folders begin with; a file has its inode's. */
    private static final String FOLDER = "folder";

    private static final String ROOT = FOLDER;

    private final Path root;
    private final Path graveyard;

    /** Numbers of folders by inode, which is another one's as soon as the folder is gone. */
    private final Map<String, String> folders = new HashMap<>();

    private final Set<String> forced = new HashSet<>();
    private final List<Change> changes = new ArrayList<>();
    private Map<Entry, String> onDisk;
    private Map<Entry, String> seen;
    private int numbered;

    /** A name in a folder, which is known by its number. */
    private record Entry(String folder, String name) {}

    /**
     * Entries that come or go in one step.
     */
    private static final class Change {
        /** Empty stands for one that goes. */
        private final Map<Entry, String> entries;

        /** Whose entries change; a folder that is made is on the disk before what comes into it is. */
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
     * All that is there now is on the disk.
     *
     * @param graveyard an empty folder beside the root, on the same file system
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

    /** All that is there, folders before what is in them; each file gets another link, by which it can come back. */
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

    /** The number of what is at a path; empty when nothing is. */
    private String number(Path path) {
        String number = ROOT;
        for (Path name : path.equals(root) ? List.<Path>of() : root.relativize(path)) {
            number = seen.getOrDefault(new Entry(number, name.toString()), "");
        }
        return number;
    }

    /** Something may have been changed: deleted, which goes one by one from below, made, which goes from above, or renamed. */
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

    /** A file's content, or a folder's entries, get to the disk. */
    void force(Path path) {
        changed();
        String number = number(path);
        if (!isFolder(number)) {
            forced.add(number);
            return;
        }
        changes.stream().filter(change -> change.shares(Set.of(number))).forEach(change -> change.isForced = true);
        // A change is on the disk with all earlier ones of its folders.
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change change = changes.get(i);
            if (change.isForced) {
                changes.subList(0, i).stream()
                        .filter(earlier -> earlier.shares(change.folders))
                        .forEach(earlier -> earlier.isForced = true);
            }
        }
    }

    /** All that is there now gets to the disk, but for what is in folders of some names. */
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
     * The power fails and comes back.
     *
     * @param chance decides about what was not forced; without it all of that is lost
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

    /** Folders are kept, for their inodes. */
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

    /** What is in a folder that is lost is lost as well. */
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

    /** The length has come to the disk before the content. */
    private static void blank(Path file) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        Files.write(file, new byte[(int) Files.size(file)]);
        Files.setLastModifiedTime(file, time);
    }

    /** Files of tables on this disk. */
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
