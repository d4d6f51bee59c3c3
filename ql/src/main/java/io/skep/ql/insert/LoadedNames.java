package io.skep.ql.insert;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names that loaded files get: their own, with {@code _copy_1} and so on before the extension when it is taken. */
final class LoadedNames {
    private static final Pattern HIVE_NAME = Pattern.compile("(\\d{1,9})_\\d+(_copy_\\d+)?(\\..*)?");

    /** Bytes of a name that every file system takes. */
    private static final int LONGEST = 255;

    private final String folder;
    private final Set<String> taken;

    /** @param taken of files and folders that are there, even if they are about to go: no name ever changes its content; is added to */
    LoadedNames(String folder, Set<String> taken) {
        this.folder = folder;
        this.taken = taken;
    }

    /** The bucket that Hive takes a file's rows for: the number that its name begins with. */
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

    /** Cut between characters, not within one. */
    private static String shortened(String stem, int most) {
        String kept = stem;
        while (bytes(kept) > most) {
            kept = kept.substring(0, kept.offsetByCodePoints(kept.length(), -1));
        }
        return kept;
    }
}
