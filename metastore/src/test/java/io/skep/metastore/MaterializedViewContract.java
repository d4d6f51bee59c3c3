package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what the catalog keeps of materialized views. */
interface MaterializedViewContract extends CatalogUnderTest {
    private Table view(Materialization content) {
        return create(table("db", "v", columns("a", "int"), List.of())
                .asMaterializedView("select a from t", "select `t`.`a` from `db`.`t`", content));
    }

    @Test
    default void whatAViewContainsComesBack() {
        create(table("db", "t", columns("a", "int"), List.of()));
        create(table("db", "s", columns("a", "int"), List.of()));
        long before = System.currentTimeMillis();
        Table made = view(
                new Materialization(List.of("db.s", "db.t"), Optional.of("5$db.t:2:9223372036854775807::"), 17, true));
        assertThat(made.kind()).isEqualTo(Table.TableKind.MATERIALIZED_VIEW);
        assertThat(made.viewOriginalText()).contains("select a from t");
        Materialization content = made.materialization().orElseThrow();
        assertThat(content.sources()).containsExactly("db.s", "db.t");
        assertThat(content.writeIds()).contains("5$db.t:2:9223372036854775807::");
        assertThat(content.millis()).isGreaterThanOrEqualTo(before);
        assertThat(content.rewriting()).isTrue();
        assertThat(CatalogUnderTest.path(made.storage().location())).isDirectory();
    }

    @Test
    default void aViewIsFilledAgain() {
        create(table("db", "t", columns("a", "int"), List.of()));
        create(table("db", "s", columns("a", "int"), List.of()));
        Table made = view(new Materialization(List.of("db.t"), Optional.empty(), 0, true));
        Materialization next =
                new Materialization(List.of("db.s"), Optional.of("7$db.s:3:9223372036854775807::"), 1, false);
        catalog().alterTable("db", "v", made.withMaterialization(next), false);
        Materialization now =
                catalog().table("db", "v").flatMap(Table::materialization).orElseThrow();
        assertThat(now.sources()).containsExactly("db.s");
        assertThat(now.writeIds()).isEqualTo(next.writeIds());
        assertThat(now.rewriting()).isFalse();
        assertThat(catalog().materializedViewsOf(made)).isEmpty();
    }

    /** Another change of the view does not change what it contains. */
    @Test
    default void propertiesLeaveTheContent() {
        create(table("db", "t", columns("a", "int"), List.of()));
        Table made = view(new Materialization(List.of("db.t"), Optional.of("5$db.t:2:9223372036854775807::"), 0, true));
        catalog().alterTable("db", "v", made.withProperties(Map.of("x", "y")), false);
        Table now = catalog().table("db", "v").orElseThrow();
        assertThat(now.properties()).containsEntry("x", "y");
        assertThat(now.materialization()).isEqualTo(made.materialization());
    }

    @Test
    default void viewsThatMayAnswerAreListed() {
        create(table("db", "t", columns("a", "int"), List.of()));
        create(table("db", "s", columns("a", "int"), List.of()));
        assertThat(catalog().rewritingViews()).isEmpty();
        Table made = view(new Materialization(List.of("db.s", "db.t"), Optional.empty(), 0, true));
        assertThat(catalog().rewritingViews()).isEqualTo(Map.of("db.v", Set.of("db.s", "db.t")));
        Materialization off = made.materialization().orElseThrow().withRewriting(false);
        catalog().alterTable("db", "v", made.withMaterialization(off), false);
        assertThat(catalog().rewritingViews()).isEmpty();
        catalog().alterTable("db", "v", made.withMaterialization(off.withRewriting(true)), false);
        assertThat(catalog().rewritingViews()).containsOnlyKeys("db.v");
        catalog().dropTable("db", "v", DroppedFiles.PURGED);
        assertThat(catalog().rewritingViews()).isEmpty();
    }

    @Test
    default void aSourceNamesItsViews() {
        Table source = create(table("db", "t", columns("a", "int"), List.of()));
        assertThat(catalog().materializedViewsOf(source)).isEmpty();
        view(new Materialization(List.of("db.t"), Optional.empty(), 0, false));
        assertThat(catalog().materializedViewsOf(source)).containsExactly("db.v");
        catalog().dropTable("db", "v", DroppedFiles.PURGED);
        assertThat(catalog().materializedViewsOf(source)).isEmpty();
        catalog().dropTable("db", "t", DroppedFiles.PURGED);
    }
}
