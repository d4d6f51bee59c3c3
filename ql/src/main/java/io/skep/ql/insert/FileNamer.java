package io.skep.ql.insert;

import io.skep.storage.write.BucketFileName;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chooses names for new files of a folder, as Hive does. When a name is taken, {@code _copy_1} and so on follows it,
 * before the extension.
 */
public final class FileNamer {
    private static final Pattern HIVE_NAME = Pattern.compile("(\\d{1,9})_\\d+(_copy_\\d+)?(\\..*)?");

    /** The length of a name, in bytes, that every file system accepts. */
    private static final int LONGEST = 255;

    private final String folder;
    private final Set<String> taken;
    private int number;

    /**
     * @param taken names of existing files and folders, even if they are about to be removed, since the content under a
     *     name never changes; the chosen names are added
     */
    public FileNamer(String folder, Set<String> taken) {
        this.folder = folder;
        this.taken = taken;
    }

    /** Returns the bucket that Hive assumes for a file: the number at the begin of its name. */
    static OptionalInt bucket(String path) {
        Matcher name = HIVE_NAME.matcher(name(path));
        return name.matches() ? OptionalInt.of(Integer.parseInt(name.group(1))) : OptionalInt.empty();
    }

    /**
     * Returns the path for a written file: {@code 000000_0}, {@code 000001_0}. A file of a bucket keeps the bucket's
     * number, by which Hive finds it. A compressed file of lines keeps its extension: {@code 000000_0.gz}.
     *
     * @param staged the file as it was written
     */
    String written(String staged) {
        String name = name(staged);
        int dot = name.lastIndexOf('.');
        return numbered(BucketFileName.bucket(staged).orElseGet(() -> number++), dot < 0 ? "" : name.substring(dot));
    }

    /** Returns the path for a file of a bucket, or of a writer. */
    String numbered(int place) {
        return numbered(place, "");
    }

    private String numbered(int place, String extension) {
        return free(String.format(Locale.ROOT, "%06d_0", place), extension);
    }

    /** Returns the path for a loaded file, which keeps its name. */
    public String loaded(String source) {
        String name = name(source);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? free(name.substring(0, dot), name.substring(dot)) : free(name, "");
    }

    private String free(String stem, String extension) {
        String name = stem + extension;
        for (int copy = 1; !taken.add(name); copy++) {
            String suffix = "_copy_" + copy + extension;
            name = shortened(stem, LONGEST - bytes(suffix)) + suffix;
        }
        return folder + "/" + name;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
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
