package io.skep.ql.insert;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chooses names for loaded files: their own, with {@code _copy_1} and so on before the extension when that name is
 * taken.
 */
final class LoadedNames {
    private static final Pattern HIVE_NAME = Pattern.compile("(\\d{1,9})_\\d+(_copy_\\d+)?(\\..*)?");

    /** The length of a name, in bytes, that every file system accepts. */
    private static final int LONGEST = 255;

    private final String folder;
    private final Set<String> taken;

    /**
     * @param taken names of existing files and folders, even if they are about to be removed, since the content under a
     *     name never changes; the chosen names are added
     */
    LoadedNames(String folder, Set<String> taken) {
        this.folder = folder;
        this.taken = taken;
    }

    /** Returns the bucket that Hive assumes for a file: the number at the begin of its name. */
    static OptionalInt bucket(String path) {
        Matcher name = HIVE_NAME.matcher(path.substring(path.lastIndexOf('/') + 1));
        return name.matches() ? OptionalInt.of(Integer.parseInt(name.group(1))) : OptionalInt.empty();
    }

    String next(String source) {
        String base = source.substring(source.lastIndexOf('/') + 1);
        int dot = base.lastIndexOf('.');
        String stem = dot > 0 ? base.substring(0, dot) : base;
        String extension = dot > 0 ? base.substring(dot) : "";
        String name = base;
        for (int copy = 1; !taken.add(name); copy++) {
            String suffix = "_copy_" + copy + extension;
            name = shortened(stem, LONGEST - bytes(suffix)) + suffix;
        }
        return folder + "/" + name;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Cuts between characters, not within one. */
    private static String shortened(String stem, int most) {
        String kept = stem;
        while (bytes(kept) > most) {
            kept = kept.substring(0, kept.offsetByCodePoints(kept.length(), -1));
        }
        return kept;
    }
}
