package io.skep.service.wire;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.service.session.ResultPage;
import java.nio.ByteBuffer;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hive.service.rpc.thrift.TColumn;
import org.apache.hive.service.rpc.thrift.TRowSet;
import org.apache.hive.service.rpc.thrift.TStringColumn;

/** Encodes result pages as the protocol's row sets: by column, or by row for old clients. */
final class RowSets {
    private RowSets() {}

    static TRowSet of(ResultPage page, ZoneId zone, boolean byRow) {
        List<TColumn> columns = new ArrayList<>();
        for (int i = 0; i < page.schema().columns().size(); i++) {
            List<Vector> parts = new ArrayList<>();
            for (Batch batch : page.batches()) {
                parts.add(batch.column(i));
            }
            SqlType type = page.schema().columns().get(i).type();
            columns.add(ColumnEncoder.encode(type, parts, zone));
        }
        return rows(page.offset(), columns, byRow);
    }

    /** Encodes lines of an operation's log as one text column. */
    static TRowSet ofLog(List<String> lines, boolean byRow) {
        TStringColumn texts = new TStringColumn(lines, ByteBuffer.wrap(new byte[0]));
        return rows(0, List.of(TColumn.stringVal(texts)), byRow);
    }

    private static TRowSet rows(long offset, List<TColumn> columns, boolean byRow) {
        if (byRow) {
            return RowBasedResultSet.of(offset, columns);
        }
        TRowSet rows = new TRowSet(offset, List.of());
        rows.setColumns(columns);
        return rows;
    }
}
