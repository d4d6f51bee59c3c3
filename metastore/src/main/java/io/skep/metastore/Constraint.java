package io.skep.metastore;

import java.util.List;
import java.util.Optional;

/** A constraint on a table's rows in addition to their types. An empty name asks the catalog to generate one. */
public sealed interface Constraint {
    String name();

    State state();

    /** Returns the columns of the constraint, in its order. A CHECK of the whole table has none. */
    List<String> columns();

    /**
     * The state of a constraint.
     *
     * @param enabled whether written rows are checked
     * @param validated whether existing rows were checked
     * @param relied whether the optimizer may rely on it
     */
    record State(boolean enabled, boolean validated, boolean relied) {}

    record PrimaryKey(String name, List<String> columns, State state) implements Constraint {
        public PrimaryKey {
            columns = List.copyOf(columns);
        }
    }

    record Unique(String name, List<String> columns, State state) implements Constraint {
        public Unique {
            columns = List.copyOf(columns);
        }
    }

    /** @param parentColumns the columns of the other table's key, the same number as the columns */
    record ForeignKey(
            String name,
            List<String> columns,
            String parentDatabase,
            String parentTable,
            List<String> parentColumns,
            State state)
            implements Constraint {
        public ForeignKey {
            columns = List.copyOf(columns);
            parentColumns = List.copyOf(parentColumns);
        }
    }

    record NotNull(String name, String column, State state) implements Constraint {
        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /** @param value an expression in HiveQL without columns */
    record DefaultValue(String name, String column, String value, State state) implements Constraint {
        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /**
     * @param column the column whose definition contains the check; the expression may refer to other columns
     * @param expression in HiveQL, with names in back-ticks
     */
    record Check(String name, Optional<String> column, String expression, State state) implements Constraint {
        @Override
        public List<String> columns() {
            return column.stream().toList();
        }
    }
}
