package io.skep.ql.rel;

import org.apache.calcite.rel.type.RelDataType;

/** Names of functions that the analyzer puts into plans itself. */
public final class HiveOperators {
    /**
     * Hive's conversion to the call's type. A value that does not convert gives null, so Calcite must not take it for its own
     * CAST, which is null only for null. The planner turns it into {@link io.skep.engine.plan.Expression.Cast}.
     */
    public static final String CAST = "$cast";

    /** A field of a struct: the struct (or an array of structs) and the field's position as a constant. */
    public static final String FIELD = "$field";

    /** An element of an array by position, or the value of a map's key. */
    public static final String INDEX = "index";

    private HiveOperators() {}

    static HiveFunction cast(RelDataType type) {
        return new HiveFunction(CAST, type, true);
    }

    static HiveFunction field(RelDataType type) {
        return new HiveFunction(FIELD, type, true);
    }
}
