package io.skep.storage.orc;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;

/**
 * What a compaction writes to a file of a transactional table: rows of several writes with the identifiers that they
 * have, or delete events of several writes.
 */
final class MergedEvents implements OrcRows {
    private final List<Column> columns;
    private final boolean deletes;
    private final EventFile file;

    MergedEvents(List<Column> columns, boolean deletes) {
        this.columns = columns;
        this.deletes = deletes;
        this.file = new EventFile(deletes);
    }

    @Override
    public TypeDescription schema() {
        return EventFile.schema(columns);
    }

    @Override
    public void adapt(Properties properties) {
        EventFile.adapt(properties);
    }

    @Override
    public Optional<OrcFile.WriterCallback> callback() {
        return Optional.of(file);
    }

    @Override
    public void fill(Batch batch, ColumnVector[] target) {
        int rows = batch.rowCount();
        if (rows == 0) {
            return;
        }
        file.start(target, rows);
        int data = deletes ? 0 : columns.size();
        StructVector ids = (StructVector) batch.column(data).flatten();
        file.identifiers(ids, rows, target);
        if (deletes) {
            long[] current = ((LongVector) batch.column(1).flatten()).values();
            EventFile.fill(target, AcidColumn.CURRENT_WRITE_ID, current, rows);
            EventFile.fillNoRow(target);
        } else {
            // A row is never changed: an update deletes it and inserts another one.
            long[] writeIds = ((LongVector) ids.fields().getFirst()).values();
            EventFile.fill(target, AcidColumn.CURRENT_WRITE_ID, writeIds, rows);
            StructColumnVector row = (StructColumnVector) target[EventFile.ROW];
            for (int i = 0; i < data; i++) {
                OrcColumnWriter.fill(batch.column(i), columns.get(i).type(), row.fields[i]);
            }
        }
        file.added(rows);
    }
}
