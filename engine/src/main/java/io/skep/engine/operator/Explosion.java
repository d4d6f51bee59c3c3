package io.skep.engine.operator;

import io.skep.common.type.ArrayType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.table.RowCounter;
import io.skep.engine.function.table.TableFunction;
import java.util.ArrayList;
import java.util.List;

/** The table functions that unnest an array or a map: explode, posexplode and inline. */
final class Explosion implements TableFunction {
    private final boolean positions;
    private final boolean fields;
    private final List<SqlType> types;
    private int[] offsets = new int[0];
    private List<Vector> parts = List.of();
    private RowCounter counter = new RowCounter(_ -> 0, 0);

    private Explosion(boolean positions, boolean fields, List<SqlType> types) {
        this.positions = positions;
        this.fields = fields;
        this.types = List.copyOf(types);
    }

    static boolean handles(String function, List<SqlType> arguments) {
        return switch (function) {
            case "explode", "posexplode" -> arguments.size() == 1;
            case "inline" ->
                arguments.size() == 1
                        && arguments.getFirst() instanceof ArrayType array
                        && array.element() instanceof StructType;
            default -> false;
        };
    }

    static TableFunction of(String function, List<SqlType> types) {
        return new Explosion(function.equals("posexplode"), function.equals("inline"), types);
    }

    @Override
    public void start(Vector[] arguments, int newRows) {
        switch (arguments[0]) {
            case ListVector v -> start(v, v.offsets(), v.lengths(), List.of(v.elements()), newRows);
            case MapVector v -> start(v, v.offsets(), v.lengths(), List.of(v.keys(), v.values()), newRows);
            default -> {
                parts = List.of();
                counter = new RowCounter(_ -> 0, newRows);
            }
        }
    }

    private void start(Vector nested, int[] newOffsets, int[] lengths, List<Vector> newParts, int rows) {
        offsets = newOffsets;
        parts = newParts;
        counter = new RowCounter(row -> nested.isNull(row) ? 0 : lengths[row], rows);
    }

    @Override
    public Rows next() {
        RowCounter.Piece piece = counter.next();
        return piece.count() == 0
                ? none(piece.completed())
                : new Rows(piece.inputRows(), piece.count(), piece.completed(), columns(piece));
    }

    private Rows none(int completed) {
        return new Rows(
                new int[0],
                0,
                completed,
                types.stream().map(VectorAppender::empty).toList());
    }

    private List<Vector> columns(RowCounter.Piece piece) {
        int count = piece.count();
        int[] entries = new int[count];
        for (int i = 0; i < count; i++) {
            entries[i] = offsets[piece.inputRows()[i]] + (int) piece.ordinals()[i];
        }
        List<Vector> columns = new ArrayList<>();
        if (positions) {
            columns.add(new LongVector(piece.ordinals(), null, count));
        }
        for (Vector part : parts) {
            Vector selected = part.select(entries, count);
            if (fields) {
                columns.addAll(fields(selected.flatten()));
            } else {
                columns.add(selected);
            }
        }
        return columns;
    }

    /** Returns a struct's fields as columns. The fields of a null struct are null. */
    private static List<Vector> fields(Vector structs) {
        StructVector vector = (StructVector) structs;
        if (!vector.mayHaveNulls()) {
            return vector.fields();
        }
        List<Vector> columns = new ArrayList<>();
        for (Vector field : vector.fields()) {
            Vector flat = field.flatten();
            columns.add(VectorAppender.withNulls(flat, NullMask.or(flat.nulls(), vector.nulls(), vector.length())));
        }
        return columns;
    }

    @Override
    public Rows finish() {
        return none(0);
    }
}
