package io.skep.ql.optimize;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.rel.SkepTable;
import io.skep.ql.testing.RelFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.junit.jupiter.api.Test;

/** Tests the order in which tables are joined. */
class TestJoinOrder {
    private final RelFixture fixture = new RelFixture()
            .table("fact", "a int, b int, c int, v int", 10_000_000)
            .distinct("fact", "a", 1000)
            .distinct("fact", "b", 1000)
            .distinct("fact", "c", 1000)
            .table("da", "k int, name string", 900)
            .distinct("da", "k", 1000)
            .table("db", "k int, name string", 10)
            .distinct("db", "k", 1000)
            .table("dc", "k int, name string", 300)
            .distinct("dc", "k", 1000)
            .choices(RelFixture.NONE);

    /** Orders the joins of a query as it is written. */
    private RelNode ordered(String sql) {
        RelNode root = fixture.analyzed(sql);
        AlgebraMetadata metadata = fixture.metadata();
        metadata.install(root.getCluster());
        return new JoinOrder(
                        metadata,
                        metadata.query(root.getCluster()),
                        RelFactories.LOGICAL_BUILDER.create(root.getCluster(), null),
                        UnaryOperator.identity())
                .order(root);
    }

    /** Returns the tree of joins, such as {@code ((fact db) dc)}. */
    private static String tree(RelNode rel) {
        return switch (rel) {
            case TableScan scan ->
                scan.getTable().unwrapOrThrow(SkepTable.class).table().name();
            case Join join -> "(" + tree(join.getLeft()) + " " + tree(join.getRight()) + ")";
            default -> tree(rel.getInput(0));
        };
    }

    @Test
    void theDimensionThatKeepsLeastComesFirst() {
        String sql = "select v from fact join da on a = da.k join db on b = db.k join dc on c = dc.k";
        assertThat(tree(fixture.analyzed(sql))).isEqualTo("(((fact da) db) dc)");
        assertThat(tree(ordered(sql))).isEqualTo("(((fact db) dc) da)");
    }

    @Test
    void columnsKeepTheirPlaces() {
        RelNode ordered =
                ordered("select da.name, v, db.name as other from fact join da on a = da.k join db on b = db.k");
        RelMetadataQuery metadata = ordered.getCluster().getMetadataQuery();
        List<String> tables = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RelColumnOrigin origin = requireNonNull(metadata.getColumnOrigin(ordered, i));
            String table = origin.getOriginTable()
                    .unwrapOrThrow(SkepTable.class)
                    .table()
                    .name();
            tables.add(table + "." + ordered.getRowType().getFieldNames().get(i));
        }
        assertThat(tables).containsExactly("da.name", "fact.v", "db.other");
    }

    @Test
    void everyConditionIsCheckedOnce() {
        String text = RelFixture.text(
                ordered("select v from fact join da on a = da.k join db on b = db.k and db.name < da.name"));
        assertThat(text.split("<\\(", -1)).hasSize(2);
        assertThat(text.split("=\\(\\$", -1)).hasSize(3);
    }

    @Test
    void outerJoinsStayWhereTheyAre() {
        String sql = "select v from fact left join da on a = da.k left join db on b = db.k left join dc on c = dc.k";
        assertThat(tree(ordered(sql))).isEqualTo("(((fact da) db) dc)");
    }

    @Test
    void inputsOfOuterJoinsAreOrderedByThemselves() {
        String sql = "select x.v from (select v, c from fact join da on a = da.k join db on b = db.k) x"
                + " left join dc on x.c = dc.k";
        assertThat(tree(ordered(sql))).isEqualTo("(((fact db) da) dc)");
    }

    @Test
    void notTwoTables() {
        String sql = "select v from db join fact on b = db.k";
        assertThat(tree(ordered(sql))).isEqualTo("(db fact)");
    }

    /** A search over more tables would take too long. The first sixty are ordered. */
    @Test
    void notMoreThanSixtyTables() {
        fixture.table("tiny", "k int", 1).distinct("tiny", "k", 1);
        IntFunction<String> query = tables -> "select v from fact"
                + IntStream.range(2, tables)
                        .mapToObj(i -> " join dc d" + i + " on c = d" + i + ".k")
                        .collect(Collectors.joining())
                + " join tiny on c = tiny.k";
        assertThat(tree(ordered(query.apply(60)))).doesNotEndWith(" tiny)");
        assertThat(tree(ordered(query.apply(61)))).endsWith(" tiny)");
    }
}
