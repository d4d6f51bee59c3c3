package io.skep.storage.orc;

import io.skep.common.vector.Batch;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;

/** Rows with the table's columns. */
record TableRows(List<Column> columns) implements OrcRows {
    @Override
    public TypeDescription schema() {
        return OrcTypes.struct(columns);
    }

    @Override
    public void adapt(Properties properties) {}

    @Override
    public Optional<OrcFile.WriterCallback> callback() {
        return Optional.empty();
    }

    @Override
    public void fill(Batch batch, ColumnVector[] target) {
        for (int i = 0; i < columns.size(); i++) {
            OrcColumnWriter.fill(batch.column(i), columns.get(i).type(), target[i]);
        }
    }
}
