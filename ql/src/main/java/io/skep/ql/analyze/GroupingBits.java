package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.rel.HiveRexBuilder;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** Extracts the bits of the arguments of {@code grouping(...)} from GROUPING over all keys. */
final class GroupingBits {
    private GroupingBits() {}

    /**
     * @param all the value of GROUPING over all {@code keys} keys; the first key has the highest bit
     * @param positions the keys to extract; the first one becomes the highest bit of the result
     */
    static RexNode of(RexNode all, int keys, int[] positions, HiveRexBuilder rex) {
        List<RexNode> parts = new ArrayList<>();
        for (int i = 0; i < positions.length; i++) {
            int from = keys - 1 - positions[i];
            int to = positions.length - 1 - i;
            parts.add(moved(all, from, to, rex));
        }
        RexNode sum = parts.getFirst();
        for (RexNode part : parts.subList(1, parts.size())) {
            sum = rex.call("|", PrimitiveType.BIGINT, true, List.of(sum, part));
        }
        return sum;
    }

    private static RexNode moved(RexNode all, int from, int to, HiveRexBuilder rex) {
        RexNode bit = rex.call(
                "&", PrimitiveType.BIGINT, true, List.of(shifted(all, "shiftright", from, rex), bigint(1, rex)));
        return shifted(bit, "shiftleft", to, rex);
    }

    private static RexNode shifted(RexNode value, String function, int by, HiveRexBuilder rex) {
        RexNode distance = rex.constant(new Datum.OfLong(by), PrimitiveType.INT);
        return by == 0 ? value : rex.call(function, PrimitiveType.BIGINT, true, List.of(value, distance));
    }

    private static RexNode bigint(long value, HiveRexBuilder rex) {
        return rex.constant(new Datum.OfLong(value), PrimitiveType.BIGINT);
    }
}
