package io.skep.ql.analyze;

import io.skep.common.type.SqlType;
import io.skep.ql.analyze.ScopeColumn.Ambiguous;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one relation under their names, nested in the scope of an outer query if there is one. An inner query
 * that refers to an outer column makes the outer scope's relation correlated. Code that puts an operator over that
 * relation must pass {@link #correlation} to it.
 */
final class Scope implements Resolver {
    private final RelFactory factory;
    private final RelNode rel;
    private final List<ScopeColumn> columns;
    private final Optional<Resolver> outer;
    private final List<Integer> star;
    private @Nullable CorrelationId correlation;

    Scope(RelFactory factory, RelNode rel, List<ScopeColumn> columns, Optional<Resolver> outer) {
        this(
                factory,
                rel,
                columns,
                outer,
                IntStream.range(0, columns.size())
                        .filter(i -> columns.get(i).visible())
                        .boxed()
                        .toList());
    }

    /** @param star the columns that {@code *} stands for, in its order */
    Scope(RelFactory factory, RelNode rel, List<ScopeColumn> columns, Optional<Resolver> outer, List<Integer> star) {
        if (rel.getRowType().getFieldCount() != columns.size()) {
            throw new IllegalArgumentException(
                    rel.getRowType().getFieldCount() + " fields, " + columns.size() + " names");
        }
        this.factory = factory;
        this.rel = rel;
        this.columns = List.copyOf(columns);
        this.outer = outer;
        this.star = List.copyOf(star);
    }

    RelNode rel() {
        return rel;
    }

    List<ScopeColumn> columns() {
        return columns;
    }

    @Override
    public List<Integer> star() {
        return star;
    }

    @Override
    public Optional<Resolver> outer() {
        return outer;
    }

    /** Returns the same names over another relation with the same fields. */
    Scope over(RelNode other) {
        return new Scope(factory, other, columns, outer, star);
    }

    /** Returns the variable through which inner queries read this relation's rows, or an empty set if none does. */
    Set<CorrelationId> correlation() {
        CorrelationId id = correlation;
        return id == null ? Set.of() : Set.of(id);
    }

    @Override
    public Scope scope() {
        return this;
    }

    @Override
    public boolean hasTable(String alias) {
        return columns.stream().anyMatch(column -> column.table().equals(alias));
    }

    /**
     * Returns whether references to a table beside this scope could mean one in it.
     *
     * @param database the database of the table; empty when it is no table, or has an alias
     */
    boolean hides(String database, String alias) {
        return columns.stream()
                .anyMatch(column -> column.table().equals(alias)
                        && (database.isEmpty()
                                || column.database().isEmpty()
                                || column.database().equals(database)));
    }

    boolean hasDatabaseTable(String database, String alias) {
        return columns.stream()
                .anyMatch(column ->
                        column.database().equals(database) && column.table().equals(alias));
    }

    RexNode reference(int index) {
        return factory.column(rel, index);
    }

    SqlType type(int index) {
        return TypeMapping.toSql(rel.getRowType().getFieldList().get(index).getType());
    }

    @Override
    public OptionalInt column(SyntaxNode where, String table, String name) {
        return table.isEmpty() ? find(where, name) : find(where, table, name);
    }

    private OptionalInt find(SyntaxNode where, String name) {
        List<Integer> found = matches(name, false);
        if (found.isEmpty()) {
            found = matches(name, true);
        }
        return only(where, name, found, EnumSet.of(Ambiguous.PLAIN, Ambiguous.ALL));
    }

    /** @param refused the ambiguities that the way of naming the column does not allow */
    private OptionalInt only(SyntaxNode where, String name, List<Integer> found, Set<Ambiguous> refused) {
        if (found.size() > 1) {
            throw SemanticErrors.ambiguous(
                    where, name, found.stream().map(columns::get).toList());
        }
        if (found.isEmpty()) {
            return OptionalInt.empty();
        }
        ScopeColumn column = columns.get(found.getFirst());
        if (refused.contains(column.ambiguous())) {
            throw SemanticErrors.ambiguous(where, name, namesakes(column));
        }
        return OptionalInt.of(found.getFirst());
    }

    /** Returns the columns that a name fits which is refused as ambiguous. */
    private List<ScopeColumn> namesakes(ScopeColumn column) {
        return column.ambiguous() == Ambiguous.ALL
                ? List.of(column)
                : columns.stream()
                        .filter(other -> other.name().equals(column.name()) && !other.virtual())
                        .toList();
    }

    private List<Integer> matches(String name, boolean virtual) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ScopeColumn column = columns.get(i);
            if (column.name().equals(name) && (virtual ? column.virtual() : column.visible())) {
                found.add(i);
            }
        }
        return found;
    }

    private OptionalInt find(SyntaxNode where, String table, String name) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ScopeColumn column = columns.get(i);
            if (column.table().equals(table) && column.name().equals(name)) {
                found.add(i);
            }
        }
        return only(where, name, found, EnumSet.of(Ambiguous.ALL));
    }

    /** Returns a reference to a column for use in an inner query. */
    RexNode correlated(int index) {
        CorrelationId id = correlation;
        if (id == null) {
            id = rel.getCluster().createCorrel();
            correlation = id;
        }
        return factory.rex().makeFieldAccess(factory.rex().makeCorrel(rel.getRowType(), id), index);
    }

    @Override
    public List<String> names() {
        boolean several = columns.stream().map(ScopeColumn::table).distinct().count() > 1;
        return columns.stream()
                .filter(ScopeColumn::visible)
                .map(column -> several ? column.qualifiedName() : column.name())
                .distinct()
                .toList();
    }
}
