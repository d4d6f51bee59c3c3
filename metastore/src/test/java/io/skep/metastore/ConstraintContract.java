package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.storage;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static io.skep.metastore.CatalogUnderTest.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Constraint.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests constraints, which are stored with the table, added, dropped, and kept over changes of columns. */
interface ConstraintContract extends CatalogUnderTest {
    State ENABLED = new State(true, false, true);
    State DISABLED = new State(false, false, false);

    private Table abc(String name, List<Constraint> constraints) {
        catalog()
                .createTable(table("db", name, columns("a", "int", "b", "string", "c", "int"), List.of()), constraints);
        return catalog().table("db", name).orElseThrow();
    }

    @Test
    default void constraintsComeBackAsTheyWereMade() {
        Table parent = abc("parent", List.of(new Constraint.PrimaryKey("pk", List.of("c", "a"), DISABLED)));
        List<Constraint> all = List.of(
                new Constraint.PrimaryKey("k", List.of("b", "a"), DISABLED),
                new Constraint.ForeignKey("f", List.of("a", "c"), "db", "parent", List.of("c", "a"), DISABLED),
                new Constraint.Unique("u", List.of("c", "b"), new State(false, false, true)),
                new Constraint.NotNull("n", "a", ENABLED),
                new Constraint.DefaultValue("d", "b", "'x'", ENABLED),
                new Constraint.Check("ck", Optional.of("c"), "`c` > 1", ENABLED),
                new Constraint.Check("ct", Optional.empty(), "`c` > `a`", ENABLED));
        Table made = abc("t", all);
        assertThat(catalog().constraints(made)).containsExactlyInAnyOrderElementsOf(all);
        assertThat(catalog().constraints(parent)).hasSize(1);
        assertThat(catalog().referencesTo(parent))
                .containsExactly(new Catalog.Reference("db", "t", (Constraint.ForeignKey) all.get(1)));
        assertThat(catalog().referencesTo(made)).isEmpty();
    }

    @Test
    default void aNameIsMadeUpWhereNoneIsGiven() {
        Table made = abc("t", List.of(new Constraint.NotNull("", "a", ENABLED)));
        assertThat(catalog().constraints(made))
                .singleElement()
                .satisfies(one -> assertThat(one.name()).startsWith("nn_"));
    }

    @Test
    default void constraintsAreAddedAndDropped() {
        Table made = abc("t", List.of());
        assertThat(catalog().constraints(made)).isEmpty();
        catalog().addConstraints(made, List.of(new Constraint.NotNull("n", "b", ENABLED)));
        assertThat(catalog().constraints(made)).containsExactly(new Constraint.NotNull("n", "b", ENABLED));
        fails(
                StandardErrorCode.INVALID_CONSTRAINT,
                () -> catalog().addConstraints(made, List.of(new Constraint.Unique("n", List.of("a"), DISABLED))));
        fails(StandardErrorCode.INVALID_CONSTRAINT, () -> catalog().dropConstraint(made, "nope"));
        catalog().dropConstraint(made, "n");
        assertThat(catalog().constraints(made)).isEmpty();
    }

    @Test
    default void whatDoesNotFitIsRefusedAndNothingIsMade() {
        List<Constraint> unknownColumn = List.of(new Constraint.Unique("u", List.of("nope"), DISABLED));
        fails(StandardErrorCode.INVALID_CONSTRAINT, () -> abc("t", unknownColumn));
        assertThat(catalog().table("db", "t")).isEmpty();
        fails(
                StandardErrorCode.INVALID_CONSTRAINT,
                () -> abc(
                        "t",
                        List.of(
                                new Constraint.PrimaryKey("k", List.of("a"), DISABLED),
                                new Constraint.PrimaryKey("l", List.of("b"), DISABLED))));
        Constraint orphan = new Constraint.ForeignKey("f", List.of("a"), "db", "nope", List.of("z"), DISABLED);
        fails(StandardErrorCode.INVALID_CONSTRAINT, () -> abc("t", List.of(orphan)));
        assertThat(catalog().tables("db")).isEmpty();
    }

    @Test
    default void constraintsGoWithTheirTable() {
        Table made = abc("t", List.of(new Constraint.NotNull("n", "a", ENABLED)));
        Table renamed = with(made, "db", "t2", made.storage(), Map.of());
        catalog().alterTable("db", "t", renamed, false);
        Table after = catalog().table("db", "t2").orElseThrow();
        assertThat(catalog().constraints(after)).hasSize(1);
        catalog().dropTable("db", "t2", DroppedFiles.TRASHED);
        assertThat(catalog().constraints(abc("t2", List.of()))).isEmpty();
    }

    @Test
    default void constraintsStayWhenPropertiesOrOtherColumnsChange() {
        Table made = abc("t", List.of(new Constraint.NotNull("n", "a", ENABLED)));
        catalog().alterTable("db", "t", with(made, "db", "t", made.storage(), Map.of("x", "y")), false);
        assertThat(catalog().constraints(catalog().table("db", "t").orElseThrow()))
                .hasSize(1);
        StorageDescriptor wider = storage(
                columns("a", "int", "b", "string", "c", "int", "e", "int"),
                made.storage().location());
        catalog().alterTable("db", "t", with(made, "db", "t", wider, Map.of()), false);
        assertThat(catalog().constraints(catalog().table("db", "t").orElseThrow()))
                .hasSize(1);
    }
}
