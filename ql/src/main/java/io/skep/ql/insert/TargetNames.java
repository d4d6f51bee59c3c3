package io.skep.ql.insert;

import io.skep.storage.write.BucketFileName;
import java.util.Locale;
import java.util.Set;

/**
 * Names for new files of a folder, as Hive gives them: {@code 000000_0}, {@code 000001_0}, and {@code _copy_1} and so on behind
 * a name that is taken.
 */
final class TargetNames {
    private final String folder;
    private final Set<String> taken;
    private int number;

    /** @param taken of files and folders that are there, even if they are about to go: no name ever changes its content; is added to */
    TargetNames(String folder, Set<String> taken) {
        this.folder = folder;
        this.taken = taken;
    }

    /**
     * A file of a bucket keeps the bucket's number, by which Hive finds it.
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
