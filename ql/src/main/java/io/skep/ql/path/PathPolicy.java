package io.skep.ql.path;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks the paths that statements name: LOCATION, LOAD, INSERT DIRECTORY, ADD JAR, CREATE FUNCTION. A path is made
 * absolute and its symbolic links and {@code ..} are resolved. It is then compared name by name. Thread-safe.
 */
public final class PathPolicy {
    private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:.*";

    /** The prefix of the folders that commits create in the folders of tables. */
    private static final String COMMITS = ".skep-";

    /** Folders that expose the machine's kernel, devices and processes. One of them also contains regular files. */
    private static final Set<String> KERNEL = Set.of("proc", "sys", "dev");

    private static final List<String> MEMORY_FILES = List.of("dev", "shm");

    private final String defaultRoot;
    private final List<StoragePath> closed;
    private final List<StoragePath> warehouses;
    private final List<StoragePath> localRoots;
    private final Set<String> schemes;

    /** @param defaultRoot the root of the file system of paths without a scheme, such as {@code file:/} */
    public PathPolicy(PathConfig config, String defaultRoot) {
        this.defaultRoot = defaultRoot;
        this.closed = resolved(config.closedFolders());
        this.warehouses = config.warehouses().stream().map(this::path).toList();
        this.localRoots = resolved(config.localRoots());
        this.schemes = new TreeSet<>(config.schemes());
        Stream.concat(config.warehouses().stream().map(this::path), Stream.of(path(defaultRoot)))
                .map(StoragePath::scheme)
                .forEach(schemes::add);
    }

    private static List<StoragePath> resolved(List<Path> folders) {
        return folders.stream()
                .map(folder -> StoragePath.ofLocal(folder.toAbsolutePath()).withoutLinks())
                .toList();
    }

    /**
     * Checks a path of a statement. Returns it as an absolute path with a scheme.
     *
     * @param text the path as written in the statement
     * @param local whether a path without a scheme is on the server's machine
     * @param position the position of the path in the statement
     * @throws SkepException INVALID_PATH when it is relative or has control characters, ACCESS_DENIED when statements
     *     may not name it
     */
    public String check(String text, boolean local, TextPosition position) {
        refuseControlCharacters(text, position);
        try {
            String absolute = StoragePath.normalized(qualified(text, local));
            refuse(path(absolute), absolute);
            return absolute;
        } catch (SkepException e) {
            throw e.at(position);
        }
    }

    /** Checks a path as above. A path without a scheme is on the default file system. */
    public String check(String text, TextPosition position) {
        return check(text, false, position);
    }

    /**
     * Checks a file that the server itself reads for a statement, such as a jar. A path without a scheme is on the
     * server's machine; a relative one starts at the server's working directory.
     *
     * @throws SkepException INVALID_PATH, ACCESS_DENIED when statements may not name it, MISSING_FILE when it is on
     *     another file system
     */
    public Path checkedLocal(String text, TextPosition position) {
        refuseControlCharacters(text, position);
        boolean elsewhere = text.matches("(?s)" + SCHEME) && !text.startsWith("file:");
        try {
            if (elsewhere) {
                throw new SkepException(StandardErrorCode.MISSING_FILE, text + " does not exist")
                        .withHint("only files of the server's machine are read");
            }
            Path file = (text.startsWith("file:") ? Path.of(URI.create(text)) : Path.of(text)).toAbsolutePath();
            refuse(StoragePath.ofLocal(file).withoutLinks(), text);
            return file;
        } catch (IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the path '" + text + "' is none", e).at(position);
        } catch (SkepException e) {
            throw e.at(position);
        }
    }

    private String qualified(String text, boolean local) {
        if (text.matches("(?s)" + SCHEME)) {
            return text;
        }
        if (!text.startsWith("/")) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the path '" + text + "' is not absolute");
        }
        return local ? "file:" + text : defaultRoot.substring(0, defaultRoot.length() - 1) + text;
    }

    /**
     * Rejects tabs, line breaks and other control characters in a path or in a file's name.
     *
     * @throws SkepException INVALID_PATH
     */
    public static void refuseControlCharacters(String text, TextPosition position) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw new SkepException(
                                StandardErrorCode.INVALID_PATH,
                                "Invalid path '" + shown(text) + "': character " + (i + 1) + " is a control character")
                        .withHint("rename the file or folder; tabs and line breaks are not supported in paths")
                        .at(position);
            }
        }
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) ? String.format(Locale.ROOT, "\\u%04x", (int) c) : c);
        }
        return shown.toString();
    }

    private void refuse(StoragePath path, String text) {
        if (!schemes.contains(path.scheme())) {
            throw denied(text, "file systems that they may name are " + String.join(", ", schemes))
                    .withHint(PathConfig.SCHEMES.name() + " of the server's settings names them");
        }
        for (StoragePath folder : closed) {
            if (path.contains(folder) || folder.contains(path) && !isInWarehouseOf(folder, path)) {
                throw denied(text, "it is in, or contains, a folder that the server keeps for itself");
            }
        }
        if (path.names().stream().anyMatch(name -> name.startsWith(COMMITS))) {
            throw denied(text, "names that begin with .skep- are those of commits");
        }
        if (path.isLocal() && isKernels(path.names())) {
            throw denied(text, "it shows the machine's devices and processes, and holds no data");
        }
        boolean isBound = path.isLocal() && !localRoots.isEmpty();
        if (isBound && localRoots.stream().noneMatch(root -> root.contains(path)) && !isInWarehouse(path)) {
            throw denied(text, "the server is not configured to use local files there");
        }
    }

    private static boolean isKernels(List<String> names) {
        boolean isMemory = names.size() >= MEMORY_FILES.size()
                && names.subList(0, MEMORY_FILES.size()).equals(MEMORY_FILES);
        return !names.isEmpty() && KERNEL.contains(names.getFirst()) && !isMemory;
    }

    private boolean isInWarehouse(StoragePath path) {
        return warehouses.stream().anyMatch(warehouse -> warehouse.contains(path));
    }

    private boolean isInWarehouseOf(StoragePath folder, StoragePath path) {
        return warehouses.stream().anyMatch(warehouse -> folder.contains(warehouse) && warehouse.contains(path));
    }

    private static SkepException denied(String path, String why) {
        return new SkepException(
                StandardErrorCode.ACCESS_DENIED, "statements may not use the path '" + path + "': " + why);
    }

    /** Resolves a location of the catalog, or a path that was {@linkplain #check checked}. */
    public StoragePath path(String location) {
        String absolute = location.startsWith("/") ? qualified(location, false) : location;
        return StoragePath.of(absolute, defaultRoot).withoutLinks();
    }

    /** Whether a path is a symbolic link on the server's machine. */
    public boolean isLink(String path) {
        StoragePath named = StoragePath.of(path, defaultRoot);
        return named.isLocal() && Files.isSymbolicLink(named.local());
    }

    /** Whether a path is a pipe, a socket or a device on the server's machine. Opening one may block forever. */
    public boolean isSpecial(String path) {
        StoragePath named = path(path);
        if (!named.isLocal()) {
            return false;
        }
        Path file = named.local();
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    /** Returns the first of the other paths that equals, contains or lies in the given one. */
    public Optional<String> overlapping(String path, Collection<String> others) {
        StoragePath own = path(path);
        return others.stream().filter(other -> path(other).overlaps(own)).findFirst();
    }
}
