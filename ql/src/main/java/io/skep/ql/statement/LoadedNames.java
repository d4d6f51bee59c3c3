package io.skep.ql.statement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Names that loaded files get: their own, with {@code _copy_1} and so on before the extension when it is taken. */
final class LoadedNames {
    private final String folder;
    private final Set<String> taken = new HashSet<>();

    /** @param existing files that are there, even if they are about to go: no name ever changes its content */
    LoadedNames(String folder, List<TableFiles.TableFile> existing) {
        this.folder = folder;
        existing.forEach(file -> taken.add(file.path().substring(file.path().lastIndexOf('/') + 1)));
    }

    String next(String source) {
        String base = source.substring(source.lastIndexOf('/') + 1);
        int dot = base.lastIndexOf('.');
        String stem = dot > 0 ? base.substring(0, dot) : base;
        String extension = dot > 0 ? base.substring(dot) : "";
        String name = base;
        for (int copy = 1; !taken.add(name); copy++) {
            name = stem + "_copy_" + copy + extension;
        }
        return folder + "/" + name;
    }
}
