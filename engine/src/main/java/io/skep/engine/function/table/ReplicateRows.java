package io.skep.engine.function.table;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import java.util.List;

/** replicate_rows: repeats each row by the number in its first argument, with all arguments as columns. */
public final class ReplicateRows implements TableFunction {
    private static final String NAME = "replicate_rows";

    private Vector[] arguments = new Vector[0];
    private RowCounter counter = new RowCounter(_ -> 0, 0);

    public static boolean handles(String function, List<SqlType> arguments) {
        return function.equals(NAME) && arguments.size() > 1 && arguments.getFirst() == PrimitiveType.BIGINT;
    }

    @Override
    public void start(Vector[] newArguments, int rows) {
        arguments = newArguments.clone();
        LongVector times = (LongVector) newArguments[0];
        counter = new RowCounter(row -> times(times, row), rows);
    }

    private static long times(LongVector times, int row) {
        if (times.isNull(row)) {
            throw new SkepException(StandardErrorCode.UDF_FAILED, NAME + ": the number of rows is null");
        }
        return times.values()[row];
    }

    @Override
    public Rows next() {
        RowCounter.Piece piece = counter.next();
        List<Vector> columns = Arrays.stream(arguments)
                .map(argument -> argument.select(piece.inputRows(), piece.count()))
                .toList();
        return new Rows(piece.inputRows(), piece.count(), piece.completed(), columns);
    }

    @Override
    public Rows finish() {
        List<Vector> none = Arrays.stream(arguments)
                .map(argument -> argument.select(new int[0], 0))
                .toList();
        return new Rows(new int[0], 0, 0, none);
    }
}
