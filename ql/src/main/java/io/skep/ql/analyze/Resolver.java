package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/** Resolves names and whole expressions at a place of a query: before grouping, after grouping, in ORDER BY. */
interface Resolver {
    /** Returns the relation that expressions at this place refer to. */
    Scope scope();

    /**
     * Returns the field of {@link #scope} that a name refers to.
     *
     * @param table the alias in front of the name, or empty
     */
    OptionalInt column(SyntaxNode where, String table, String name);

    boolean hasTable(String alias);

    /**
     * Returns the replacement for a whole expression that does not resolve from its parts, such as a group key or an
     * aggregate.
     */
    default Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        return Optional.empty();
    }

    /** Returns the field of {@link #scope} that contains an aggregate call's value. */
    default OptionalInt aggregate(SyntaxNode call) {
        return OptionalInt.empty();
    }

    /** Returns the meaning of a name that is not a column. */
    default Optional<RexNode> alias(String name) {
        return Optional.empty();
    }

    Optional<Resolver> outer();

    /** Returns the positions in {@link #namedColumns} of what a star stands for, in its order. */
    default List<Integer> star() {
        return scope().star();
    }

    /** Returns the columns that a star stands for, and also those that it leaves out. */
    default List<ScopeColumn> namedColumns() {
        return scope().columns();
    }

    /** Returns the visible names for errors, after their table's alias where there are several tables. */
    List<String> names();
}
