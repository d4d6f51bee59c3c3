package io.skep.ql.statement;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Names for new files of a folder, as Hive gives them: {@code 000000_0}, {@code 000001_0}, and {@code _copy_1} and so on behind
 * a name that is taken.
 */
final class TargetNames {
    private final String folder;
    private final Set<String> taken = new HashSet<>();
    private int number;

    /** @param existing files that are there, even if they are about to go: no name ever changes its content */
    TargetNames(String folder, List<TableFiles.TableFile> existing) {
        this.folder = folder;
        existing.forEach(file -> taken.add(file.path().substring(file.path().lastIndexOf('/') + 1)));
    }

    String next() {
        String base = String.format(Locale.ROOT, "%06d_0", number++);
        String name = base;
        for (int copy = 1; !taken.add(name); copy++) {
            name = base + "_copy_" + copy;
        }
        return folder + "/" + name;
    }
}
