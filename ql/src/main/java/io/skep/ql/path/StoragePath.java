package io.skep.ql.path;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path as a file system and a list of names. Paths are compared name by name: {@code /a/b} does not contain
 * {@code /a/bc}. Names are plain texts; a percent sign stands for itself.
 *
 * @param fileSystem scheme and authority in lower case; all local files have the same one
 * @param names the names without {@code .}, {@code ..} and empty ones; empty for the root
 */
public record StoragePath(String fileSystem, List<String> names) {
    private static final Pattern FORM = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*:)(//[^/]*)?(/.*)?");
    private static final String LOCAL = "file:";
    private static final String HDFS = "hdfs:";
    private static final String HDFS_PORT = ":8020";

    public StoragePath {
        names = List.copyOf(names);
    }

    /**
     * @param text an absolute path with a scheme
     * @param defaultRoot the root of the file system of paths without a scheme, such as {@code file:/}; an hdfs path
     *     without a NameNode is on it
     * @throws SkepException INVALID_PATH when it has no scheme or is relative
     */
    public static StoragePath of(String text, String defaultRoot) {
        Matcher form = matched(text);
        List<String> names = names(form.group(3));
        String scheme = form.group(1).toLowerCase(Locale.ROOT);
        return scheme.equals(LOCAL)
                ? new StoragePath(LOCAL, names)
                : new StoragePath(scheme + authority(scheme, form, defaultRoot), names);
    }

    private static String authority(String scheme, Matcher form, String defaultRoot) {
        String given = form.group(2) == null ? "//" : form.group(2).toLowerCase(Locale.ROOT);
        if (given.equals("//") && defaultRoot.startsWith(scheme + "//")) {
            given = String.valueOf(matched(defaultRoot).group(2)).toLowerCase(Locale.ROOT);
        }
        return scheme.equals(HDFS) && given.endsWith(HDFS_PORT)
                ? given.substring(0, given.length() - HDFS_PORT.length())
                : given;
    }

    private static Matcher matched(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || form.group(3) == null && form.group(2) == null) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the path '" + text + "' is not absolute");
        }
        return form;
    }

    private static List<String> names(@Nullable String path) {
        List<String> names = new ArrayList<>();
        for (String name : path == null ? new String[0] : path.split("/")) {
            if (name.equals("..")) {
                if (!names.isEmpty()) {
                    names.removeLast();
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return names;
    }

    /**
     * Returns a path's text without {@code .}, {@code ..}, empty names and a trailing slash. Scheme and authority stay
     * as given; an empty authority of a local file is left out.
     */
    public static String normalized(String text) {
        Matcher form = matched(text);
        boolean isLocal = form.group(1).equalsIgnoreCase(LOCAL);
        String authority = form.group(2) == null || isLocal && form.group(2).equals("//") ? "" : form.group(2);
        return form.group(1) + authority + "/" + String.join("/", names(form.group(3)));
    }

    /** Returns the scheme in lower case, without its colon. */
    String scheme() {
        return fileSystem.substring(0, fileSystem.indexOf(':'));
    }

    public boolean isLocal() {
        return fileSystem.equals(LOCAL);
    }

    /**
     * Returns the path of a local file.
     *
     * @throws SkepException INVALID_PATH when no local file can have it
     */
    public Path local() {
        try {
            return Path.of("/", names.toArray(String[]::new));
        } catch (InvalidPathException e) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "no local file has such a path", e);
        }
    }

    /**
     * Returns the same file's path with symbolic links resolved. Names that do not exist stay unchanged, and so do
     * paths that are not local.
     */
    public StoragePath withoutLinks() {
        return isLocal() ? ofLocal(withoutLinks(local())) : this;
    }

    /** @param path an absolute path */
    static StoragePath ofLocal(Path path) {
        return new StoragePath(LOCAL, names(path.toString()));
    }

    static Path withoutLinks(Path path) {
        Path there = path;
        while (there.getParent() != null) {
            try {
                return there.toRealPath().resolve(there.relativize(path));
            } catch (IOException e) {
                there = there.getParent();
            }
        }
        return path;
    }

    /** Whether another path equals this one or is below it. */
    public boolean contains(StoragePath other) {
        return fileSystem.equals(other.fileSystem)
                && names.size() <= other.names.size()
                && names.equals(other.names.subList(0, names.size()));
    }

    /** Whether one of the two paths equals the other or is below it. */
    public boolean overlaps(StoragePath other) {
        return contains(other) || other.contains(this);
    }

    @Override
    public String toString() {
        return fileSystem + "/" + String.join("/", names);
    }
}
