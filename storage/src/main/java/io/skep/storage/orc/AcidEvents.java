package io.skep.storage.orc;

import io.skep.common.vector.Batch;
import io.skep.common.vector.StructVector;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;

/** What one statement writes to a file of a transactional table: rows that get identifiers, or delete events. */
final class AcidEvents implements OrcRows {
    private final List<Column> columns;
    private final AcidWrite write;
    private final int bucket;
    private final EventFile file;

    AcidEvents(List<Column> columns, AcidWrite write, int bucket) {
        this.columns = columns;
        this.write = write;
        this.bucket = BucketProperty.encode(bucket, write.statement());
        this.file = new EventFile(deletes());
    }

    private boolean deletes() {
        return write.kind() == AcidWrite.Kind.DELETE;
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
        EventFile.repeat(target[4], write.writeId());
        if (deletes()) {
            file.identifiers((StructVector) batch.column(0).flatten(), rows, target);
            EventFile.fillNoRow(target);
        } else {
            fillInserts(batch, target);
        }
        file.added(rows);
    }

    private void fillInserts(Batch batch, ColumnVector[] target) {
        int rows = batch.rowCount();
        EventFile.repeat(target[1], write.writeId());
        EventFile.repeat(target[2], bucket);
        long[] rowIds = ((LongColumnVector) target[3]).vector;
        long first = file.events();
        for (int i = 0; i < rows; i++) {
            rowIds[i] = first + i;
        }
        StructColumnVector row = (StructColumnVector) target[EventFile.ROW];
        for (int i = 0; i < columns.size(); i++) {
            OrcColumnWriter.fill(batch.column(i), columns.get(i).type(), row.fields[i]);
        }
        file.last(write.writeId(), bucket, first + rows - 1);
    }
}
