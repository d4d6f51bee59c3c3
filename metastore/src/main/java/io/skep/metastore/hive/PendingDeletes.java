package io.skep.metastore.hive;

import io.skep.metastore.DroppedFiles;
import java.util.List;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/** Folders to delete after the catalog has dropped their content. */
@NullUnmarked
record PendingDeletes(List<String> folders, boolean purged) {
    /** @param folders the folders that the table owns */
    static PendingDeletes of(Table table, DroppedFiles dropped, List<String> folders) {
        return switch (dropped) {
            case KEPT -> new PendingDeletes(List.of(), false);
            case TRASHED -> new PendingDeletes(folders, DroppedFiles.isPurged(table.getParameters()));
            case PURGED -> new PendingDeletes(folders, true);
        };
    }

    void deleteBy(WarehouseFiles files) {
        folders.forEach(purged ? files::delete : files::discard);
    }
}
