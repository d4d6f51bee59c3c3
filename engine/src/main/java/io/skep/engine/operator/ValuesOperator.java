package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a Values node. */
public final class ValuesOperator extends SourceOperator {
    private final PlanNode.Values values;
    private final int batchRows;
    private int next;

    public ValuesOperator(PlanNode.Values values) {
        this.values = values;
        this.batchRows = BatchRows.of(values.outputTypes());
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.SCAN;
    }

    @Override
    public @Nullable Batch output() {
        List<List<Datum>> rows = values.rows();
        int to = Math.min(rows.size(), next + batchRows);
        List<Vector> columns = new ArrayList<>();
        for (int column = 0; column < values.outputTypes().size(); column++) {
            VectorAppender appender = VectorAppender.of(values.outputTypes().get(column));
            for (int row = next; row < to; row++) {
                rows.get(row)
                        .get(column)
                        .appendTo(appender, values.outputTypes().get(column));
            }
            columns.add(appender.build());
        }
        Batch batch = new Batch(columns, to - next);
        next = to;
        return batch;
    }

    @Override
    public boolean finished() {
        return next == values.rows().size();
    }
}
