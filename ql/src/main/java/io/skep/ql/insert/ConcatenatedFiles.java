package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Optional;

/**
 * RCFiles of a table or partition as one file with the same row groups, as Hive's CONCATENATE makes it. No row is
 * decoded, and the file's values stay as they were stored.
 */
public final class ConcatenatedFiles {
    private static final int ATTEMPTS = 3;

    private ConcatenatedFiles() {}

    /**
     * Replaces the files, unless they cannot become one.
     *
     * @param partition empty for a table without partitions
     * @return false when the rows have to be written anew: files are compressed in different ways or have different
     *     numbers of columns, are in the folders of list buckets, or have a format that the table no longer has
     */
    public static boolean replace(
            Table table, Optional<Partition> partition, CommandRun run, StatementContext context) {
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        if (storage.skew().isListBucketed()
                || !storage.format().equals(table.storage().format())) {
            return false;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return replaceOnce(table, partition, run, context);
            } catch (SkepException e) {
                // Nothing was changed yet, and the files that have come are there now.
                if (e.code() != StandardErrorCode.TABLE_CHANGED || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean replaceOnce(
            Table table, Optional<Partition> partition, CommandRun run, StatementContext context) {
        String folder =
                partition.map(Partition::storage).orElse(table.storage()).location();
        TableFiles files = context.services().files();
        FolderFiles read = FolderFiles.of(folder, files);
        List<String> paths = read.paths();
        if (paths.size() > 1) {
            SessionFiles ofUser = context.access().ofSession().files();
            ofUser.requireReadable(List.of(folder), List.of());
            ofUser.requireReadableFiles(paths);
            if (!files.isConcatenable(paths)) {
                return false;
            }
            LoadHandler.replaceFiles(
                    table,
                    partition.map(Partition::values),
                    file -> files.concatenate(paths, file),
                    () -> read.requireStill(folder, table, files),
                    run,
                    context);
        }
        return true;
    }
}
