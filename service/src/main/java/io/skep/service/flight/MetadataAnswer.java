package io.skep.service.flight;

import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.service.session.ClientSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The answer to a metadata command: the rows of the metadata call of JDBC that asks for the same, in the columns of
 * Flight SQL.
 *
 * @param schema that Flight SQL prescribes
 * @param call the name of the call, for the audit log
 * @param arguments of the call, for the audit log
 * @param statement makes the call in a session
 * @param rows turns a row of the call into one of the answer, or leaves it out; made for one read
 */
record MetadataAnswer(
        Schema schema,
        String call,
        Map<String, String> arguments,
        Function<ClientSession, SqlStatement> statement,
        Function<ClientSession, Rows> rows) {
    private static final long PIECE_BYTES = 1 << 20;

    /** Turns a row of the call into one of the answer; empty for a row that does not belong to it. */
    @FunctionalInterface
    interface Rows {
        Optional<List<Datum>> of(List<Datum> row);

        /** Returns rows with some of the call's columns. */
        static Rows ofColumns(int... columns) {
            return row -> {
                List<Datum> picked = new ArrayList<>(columns.length);
                for (int column : columns) {
                    picked.add(row.get(column));
                }
                return Optional.of(picked);
            };
        }

        Rows NONE = row -> Optional.empty();
    }

    /** Returns the types of the answer's columns. */
    List<SqlType> types() {
        return schema.getFields().stream().map(MetadataAnswer::type).toList();
    }

    private static SqlType type(Field field) {
        return switch (field.getType()) {
            case ArrowType.Bool _ -> PrimitiveType.BOOLEAN;
            case ArrowType.Int number -> number.getBitWidth() == Byte.SIZE ? PrimitiveType.TINYINT : PrimitiveType.INT;
            case ArrowType.Binary _ -> PrimitiveType.BINARY;
            case ArrowType.List _ -> new ArrayType(type(field.getChildren().getFirst()));
            default -> PrimitiveType.STRING;
        };
    }

    /**
     * Rows of the answer.
     *
     * @param next the first row of the call that is not in them
     */
    record Piece(Batch rows, int next) {}

    /** Returns about a megabyte of the answer's rows, from those of the call in a batch, beginning with one of them. */
    static Piece convert(Batch batch, int from, List<ResultColumn> columns, Rows rows, List<SqlType> types) {
        List<VectorAppender> appenders = types.stream().map(VectorAppender::of).toList();
        List<Vector> flat = batch.columns().stream().map(Vector::flatten).toList();
        int count = 0;
        long bytes = 0;
        int row = from;
        for (; row < batch.rowCount() && bytes < PIECE_BYTES; row++) {
            List<Datum> cells = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                cells.add(Datum.of(flat.get(i), row, columns.get(i).type()));
            }
            Optional<List<Datum>> answer = rows.of(cells);
            if (answer.isPresent()) {
                for (int i = 0; i < types.size(); i++) {
                    Datum cell = answer.get().get(i);
                    cell.appendTo(appenders.get(i), types.get(i));
                    bytes += cell.heapBytes();
                }
                count++;
            }
        }
        return new Piece(new Batch(appenders.stream().map(VectorAppender::build).toList(), count), row);
    }
}
