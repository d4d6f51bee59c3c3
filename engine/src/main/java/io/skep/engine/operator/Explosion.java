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
import io.skep.engine.function.table.TableFunction;
import java.util.ArrayList;
import java.util.List;

/** The table functions that take an array or a map apart: explode, posexplode and inline. */
final class Explosion implements TableFunction {
    private final boolean positions;
    private final boolean fields;
    private final List<SqlType> types;

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
    public Rows process(Vector[] arguments, int rows) {
        return switch (arguments[0]) {
            case ListVector v -> explode(v, v.offsets(), v.lengths(), List.of(v.elements()), rows);
            case MapVector v -> explode(v, v.offsets(), v.lengths(), List.of(v.keys(), v.values()), rows);
            default -> none(rows);
        };
    }

    private Rows none(int rows) {
        return new Rows(new int[rows], types.stream().map(VectorAppender::empty).toList());
    }

    private Rows explode(Vector nested, int[] offsets, int[] lengths, List<Vector> parts, int rows) {
        int[] counts = new int[rows];
        int total = 0;
        for (int i = 0; i < rows; i++) {
            counts[i] = nested.isNull(i) ? 0 : lengths[i];
            total = Math.addExact(total, counts[i]);
        }
        int[] entries = new int[total];
        long[] ordinals = new long[total];
        int at = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < counts[i]; j++) {
                ordinals[at] = j;
                entries[at++] = offsets[i] + j;
            }
        }
        List<Vector> columns = new ArrayList<>();
        if (positions) {
            columns.add(new LongVector(ordinals, null, total));
        }
        for (Vector part : parts) {
            Vector selected = part.select(entries, total);
            if (fields) {
                columns.addAll(fields(selected.flatten()));
            } else {
                columns.add(selected);
            }
        }
        return new Rows(counts, columns);
    }

    /** A struct's fields as columns; those of a null struct are null. */
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
        return none(1);
    }
}
