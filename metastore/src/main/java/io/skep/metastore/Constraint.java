package io.skep.metastore;

import java.util.List;
import java.util.Optional;

/**
 * What a table's definition says of its rows beyond their types. An empty name asks for one that the catalog makes up.
 */
public sealed interface Constraint {
    String name();

    State state();

    /** The columns that it names, in its order; none for a CHECK of the whole table. */
    List<String> columns();

    /**
     * How far a constraint goes.
     *
     * @param enabled whether rows that are written are held to it
     * @param validated whether rows that are there were
     * @param relied whether the optimizer may take it for granted
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

    /** @param parentColumns those of the other table's key, as many as there are columns */
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
     * @param column where the table's definition has it; it may name other columns
     * @param expression in HiveQL, names in back-ticks
     */
    record Check(String name, Optional<String> column, String expression, State state) implements Constraint {
        @Override
        public List<String> columns() {
            return column.stream().toList();
        }
    }
}
