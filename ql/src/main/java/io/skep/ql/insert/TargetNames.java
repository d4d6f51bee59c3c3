package io.skep.ql.insert;

import io.skep.storage.write.BucketFileName;
import java.util.Locale;
import java.util.Set;

/**
 * Chooses names for new files of a folder, as Hive does: {@code 000000_0}, {@code 000001_0}, with {@code _copy_1} and
 * so on after a name that is taken.
 */
final class TargetNames {
    private final String folder;
    private final Set<String> taken;
    private int number;

    /**
     * @param taken names of existing files and folders, even if they are about to be removed, since the content under a
     *     name never changes; the chosen names are added
     */
    TargetNames(String folder, Set<String> taken) {
        this.folder = folder;
        this.taken = taken;
    }

    /**
     * Returns the next name. A file of a bucket keeps the bucket's number, by which Hive finds it.
     *
     * @param staged the file as it was written
     */
    String next(String staged) {
        String base = String.format(
                Locale.ROOT, "%06d_0", BucketFileName.bucket(staged).orElseGet(() -> number++));
        String name = base;
        for (int copy = 1; !taken.add(name); copy++) {
            name = base + "_copy_" + copy;
        }
        return folder + "/" + name;
    }
}
