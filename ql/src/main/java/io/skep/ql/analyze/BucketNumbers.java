package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** Computes the bucket that a row belongs to, with Hive's own hash functions. */
final class BucketNumbers {
    private static final long NOT_NEGATIVE = Integer.MAX_VALUE;

    private BucketNumbers() {}

    /**
     * @param table its bucketing version selects the hash function; the default is version 1, as in Hive
     * @param keys values of the bucket columns
     * @return the bucket number, an int from 0
     */
    static RexNode of(SyntaxNode where, Table table, long buckets, List<RexNode> keys, FunctionCalls functions) {
        boolean murmur = "2".equals(table.properties().get("bucketing_version"));
        return of(where, murmur, buckets, keys, functions);
    }

    /** @param murmur whether to use the hash function of bucketing version 2 */
    static RexNode of(SyntaxNode where, boolean murmur, long buckets, List<RexNode> keys, FunctionCalls functions) {
        HiveRexBuilder rex = functions.rex();
        RexNode hash = functions.call(where, murmur ? "murmur_hash" : "hash", keys);
        RexNode positive = functions.call(where, "&", List.of(hash, number(NOT_NEGATIVE, rex)));
        return functions.call(where, "%", List.of(positive, number(buckets, rex)));
    }

    static RexNode number(long value, HiveRexBuilder rex) {
        return rex.constant(new Datum.OfLong(value), PrimitiveType.INT);
    }
}
