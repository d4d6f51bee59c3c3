package io.skep.engine.function.scalar;

import io.skep.common.vector.ListVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.List;

/** Casts arrays, maps and structs by casting their parts. */
final class NestedCast {
    private NestedCast() {}

    static ScalarFunction ofArray(ScalarFunction element) {
        return (arguments, rows) -> {
            ListVector list = (ListVector) arguments[0];
            return new ListVector(cast(element, list.elements()), list.offsets(), list.lengths(), list.nulls(), rows);
        };
    }

    static ScalarFunction ofMap(ScalarFunction key, ScalarFunction value) {
        return (arguments, rows) -> {
            MapVector map = (MapVector) arguments[0];
            return new MapVector(
                    cast(key, map.keys()), cast(value, map.values()), map.offsets(), map.lengths(), map.nulls(), rows);
        };
    }

    static ScalarFunction ofStruct(List<ScalarFunction> fields) {
        return (arguments, rows) -> {
            StructVector struct = (StructVector) arguments[0];
            List<Vector> cast = new ArrayList<>();
            for (int i = 0; i < fields.size(); i++) {
                cast.add(cast(fields.get(i), struct.fields().get(i)));
            }
            return new StructVector(cast, struct.nulls(), rows);
        };
    }

    private static Vector cast(ScalarFunction cast, Vector values) {
        return cast.evaluate(new Vector[] {values.flatten()}, values.length()).flatten();
    }
}
