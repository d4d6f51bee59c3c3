package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.jspecify.annotations.Nullable;

/**
 * A long list of constants in an IN. Calcite's search arguments keep values in a tree, and render all of them as text
 * at each step that changes them. No rewrite of algebra inspects the values of this list. Two lists are equal only if
 * they are the same object.
 */
public final class ConstantList extends RexDynamicParam {
    private final List<RexLiteral> values;

    /** @param index an index that no other list or parameter of the query has; expressions are compared by it */
    ConstantList(RelDataType type, int index, List<RexLiteral> values) {
        super(type, index);
        this.values = List.copyOf(values);
    }

    public List<RexLiteral> values() {
        return values;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
