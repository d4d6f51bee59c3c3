package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/** What names and whole expressions mean at a place of a query: before grouping, behind it, in ORDER BY. */
interface Resolver {
    /** The relation that expressions at this place are over. */
    Scope scope();

    /**
     * The field of {@link #scope} behind a name.
     *
     * @param table alias in front of the name, or empty
     */
    OptionalInt column(SyntaxNode where, String table, String name);

    boolean hasTable(String alias);

    /** What a whole expression stands for here, where it is not what its parts make of it: a group key, an aggregate. */
    default Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        return Optional.empty();
    }

    /** The field of {@link #scope} that holds an aggregate call's value. */
    default OptionalInt aggregate(SyntaxNode call) {
        return OptionalInt.empty();
    }

    /** What a name means that is no column. */
    default Optional<RexNode> alias(String name) {
        return Optional.empty();
    }

    Optional<Resolver> outer();

    /** The columns that a star stands for, with those that it leaves out. */
    default List<ScopeColumn> namedColumns() {
        return scope().columns();
    }

    /** For hints. */
    List<String> names();
}
