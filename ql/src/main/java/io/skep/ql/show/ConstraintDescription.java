package io.skep.ql.show;

import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The constraint sections of DESCRIBE FORMATTED and DESCRIBE EXTENDED. */
final class ConstraintDescription {
    private final Table table;
    private final List<Constraint> constraints;

    ConstraintDescription(Table table, List<Constraint> constraints) {
        this.table = table;
        this.constraints = constraints.stream()
                .sorted(Comparator.comparing(Constraint::name))
                .toList();
    }

    private <T extends Constraint> List<T> all(Class<T> kind) {
        return constraints.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Adds a section with a heading for each kind of constraint. */
    void formatted(DescribedRows rows) {
        if (constraints.isEmpty()) {
            return;
        }
        rows.blank();
        rows.heading("# Constraints");
        List<Constraint.PrimaryKey> primary = all(Constraint.PrimaryKey.class);
        if (!primary.isEmpty()) {
            section("# Primary Key", rows);
            rows.fact("Constraint Name:", primary.getFirst().name());
            primary.getFirst().columns().forEach(column -> rows.fact("Column Name:", column));
        }
        section("# Foreign Keys", all(Constraint.ForeignKey.class), rows, ConstraintDescription::parents);
        section("# Unique Constraints", all(Constraint.Unique.class), rows, ConstraintDescription::sequence);
        section(
                "# Not Null Constraints",
                all(Constraint.NotNull.class),
                rows,
                (one, target) -> target.fact("Column Name:", one.column()));
        section(
                "# Default Constraints",
                all(Constraint.DefaultValue.class),
                rows,
                (one, target) -> target.fact("Column Name:" + one.column(), "Default Value:" + one.value()));
        section(
                "# Check Constraints",
                all(Constraint.Check.class),
                rows,
                (one, target) ->
                        target.fact("Column Name:" + one.column().orElse("null"), "Check Value:" + one.expression()));
    }

    /** Adds the lines of one constraint below its name. */
    @FunctionalInterface
    private interface Lines<T> {
        void add(T constraint, DescribedRows rows);
    }

    private void section(String heading, DescribedRows rows) {
        rows.blank();
        rows.heading(heading);
        rows.fact("Table:", table.qualifiedName());
    }

    private <T extends Constraint> void section(
            String heading, List<T> constraintsOfKind, DescribedRows rows, Lines<T> lines) {
        if (constraintsOfKind.isEmpty()) {
            return;
        }
        section(heading, rows);
        for (T one : constraintsOfKind) {
            rows.fact("Constraint Name:", one.name());
            lines.add(one, rows);
            rows.blank();
        }
    }

    private static void parents(Constraint.ForeignKey key, DescribedRows rows) {
        for (int i = 0; i < key.columns().size(); i++) {
            rows.add(
                    "Parent Column Name:" + key.parentDatabase() + "." + key.parentTable() + "."
                            + key.parentColumns().get(i),
                    "Column Name:" + key.columns().get(i),
                    "Key Sequence:" + (i + 1));
        }
    }

    private static void sequence(Constraint.Unique key, DescribedRows rows) {
        for (int i = 0; i < key.columns().size(); i++) {
            rows.fact("Column Name:" + key.columns().get(i), "Key Sequence:" + (i + 1));
        }
    }

    /** Adds one line for each kind of constraint. */
    void extended(DescribedRows rows) {
        List<String> lines = new ArrayList<>();
        for (Constraint.PrimaryKey key : all(Constraint.PrimaryKey.class)) {
            lines.add("Primary Key for " + table.qualifiedName() + ":[" + String.join(",", key.columns())
                    + "], Constraint Name: " + key.name());
        }
        line("Foreign Keys", all(Constraint.ForeignKey.class), ConstraintDescription::parents, lines);
        line("Unique Constraints", all(Constraint.Unique.class), ConstraintDescription::sequence, lines);
        line("Not Null Constraints", all(Constraint.NotNull.class), one -> "Column Name: " + one.column(), lines);
        line(
                "Default Constraints",
                all(Constraint.DefaultValue.class),
                one -> "(Column Name: " + one.column() + ", Default Value: " + one.value() + ")",
                lines);
        line(
                "Check Constraints",
                all(Constraint.Check.class),
                one -> "(Column Name: " + one.column().orElse("null") + ", Check Expression : " + one.expression()
                        + ")",
                lines);
        for (int i = 0; i < lines.size(); i++) {
            if (i == 0) {
                rows.add("Constraints", lines.get(i), "");
            } else {
                rows.heading(lines.get(i));
            }
        }
    }

    private <T extends Constraint> void line(
            String kind, List<T> found, java.util.function.Function<T, String> text, List<String> lines) {
        if (!found.isEmpty()) {
            lines.add(kind + " for " + table.qualifiedName() + ":["
                    + found.stream()
                            .map(one -> " {Constraint Name: " + one.name() + ", " + text.apply(one) + "}")
                            .collect(Collectors.joining(","))
                    + "]");
        }
    }

    private static String parents(Constraint.ForeignKey key) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            parts.add("(Parent Column Name: " + key.parentDatabase() + "." + key.parentTable() + "."
                    + key.parentColumns().get(i) + ", Column Name: "
                    + key.columns().get(i) + ", Key Sequence: " + (i + 1) + ")");
        }
        return String.join(", ", parts);
    }

    private static String sequence(Constraint.Unique key) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            parts.add("(Column Name: " + key.columns().get(i) + ", Key Sequence: " + (i + 1) + ")");
        }
        return String.join(", ", parts);
    }
}
