package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.storage.file.FileKey;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files that a folder has at one time.
 *
 * @param keys by path
 */
record FolderFiles(SortedMap<String, FileKey> keys) {
    static final FolderFiles NONE = new FolderFiles(new TreeMap<>(Map.of()));

    static FolderFiles of(String folder, TableFiles files) {
        SortedMap<String, FileKey> present = new TreeMap<>();
        if (files.exists(folder)) {
            files.files(folder).forEach(file -> files.key(file.path()).ifPresent(key -> present.put(file.path(), key)));
        }
        return new FolderFiles(present);
    }

    List<String> paths() {
        return List.copyOf(keys.keySet());
    }

    /**
     * Called while no other statement can change the table.
     *
     * @throws SkepException TABLE_CHANGED when the folder's files are not these
     */
    void requireStill(String folder, Table table, TableFiles files) {
        if (!equals(of(folder, files))) {
            throw changed(table);
        }
    }

    /** Returns the error of a statement whose result lacks the rows that others have added to what it replaces. */
    static SkepException changed(Table table) {
        return new SkepException(
                        StandardErrorCode.TABLE_CHANGED,
                        "files of table " + table.qualifiedName()
                                + " came or went while they were written anew; nothing was written")
                .withHint("run the statement again");
    }
}
