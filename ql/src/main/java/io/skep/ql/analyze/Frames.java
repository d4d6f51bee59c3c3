package io.skep.ql.analyze;

import io.skep.engine.function.BuiltInFunctions;
import io.skep.ql.parse.SyntaxNode;
import java.util.Optional;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Determines the frames of window functions, with Hive's defaults where the query specifies none. */
final class Frames {
    record Frame(boolean rows, RexWindowBound lower, RexWindowBound upper) {}

    private Frames() {}

    static Frame of(
            SyntaxNode call,
            String function,
            Optional<SyntaxNode> node,
            boolean ordered,
            ExpressionAnalyzer expressions) {
        if (wholePartition(function)) {
            return new Frame(true, RexWindowBounds.UNBOUNDED_PRECEDING, RexWindowBounds.UNBOUNDED_FOLLOWING);
        }
        if (node.isEmpty()) {
            return ordered
                    ? new Frame(false, RexWindowBounds.UNBOUNDED_PRECEDING, RexWindowBounds.CURRENT_ROW)
                    : new Frame(true, RexWindowBounds.UNBOUNDED_PRECEDING, RexWindowBounds.UNBOUNDED_FOLLOWING);
        }
        SyntaxNode frame = node.get();
        boolean rows = frame.is(HiveParser.TOK_WINDOWRANGE);
        RexWindowBound lower = bound(frame.child(0), expressions);
        RexWindowBound upper =
                frame.childCount() > 1 ? bound(frame.child(1), expressions) : RexWindowBounds.CURRENT_ROW;
        check(call, lower, upper);
        boolean offsets = lower.getOffset() != null || upper.getOffset() != null;
        if (!rows && offsets && !ordered) {
            throw Windows.badFrame(call, "RANGE with an offset needs an ORDER BY");
        }
        return new Frame(rows, lower, upper);
    }

    /** Whether a function works on the whole partition, regardless of the specified frame. */
    private static boolean wholePartition(String function) {
        return BuiltInFunctions.WINDOWS
                .find(function)
                .filter(entry -> !entry.framed())
                .isPresent();
    }

    private static RexWindowBound bound(SyntaxNode node, ExpressionAnalyzer expressions) {
        if (node.is(HiveParser.KW_CURRENT)) {
            return RexWindowBounds.CURRENT_ROW;
        }
        boolean preceding = node.is(HiveParser.KW_PRECEDING);
        SyntaxNode amount = node.child(0);
        if (amount.is(HiveParser.KW_UNBOUNDED)) {
            return preceding ? RexWindowBounds.UNBOUNDED_PRECEDING : RexWindowBounds.UNBOUNDED_FOLLOWING;
        }
        long rows;
        try {
            rows = Long.parseLong(amount.text());
        } catch (NumberFormatException e) {
            throw Windows.badFrame(amount, "'" + amount.text() + "' is not a number of rows");
        }
        return preceding
                ? RexWindowBounds.preceding(Windows.offset(rows, expressions.rex()))
                : RexWindowBounds.following(Windows.offset(rows, expressions.rex()));
    }

    private static void check(SyntaxNode call, RexWindowBound lower, RexWindowBound upper) {
        if (lower.isUnbounded() && lower.isFollowing()) {
            throw Windows.badFrame(call, "it cannot start with UNBOUNDED FOLLOWING");
        }
        if (upper.isUnbounded() && upper.isPreceding()) {
            throw Windows.badFrame(call, "it cannot end with UNBOUNDED PRECEDING");
        }
        if (lower.isCurrentRow() && upper.isPreceding() || lower.isFollowing() && !upper.isFollowing()) {
            throw Windows.badFrame(call, "it ends before it starts");
        }
    }
}
