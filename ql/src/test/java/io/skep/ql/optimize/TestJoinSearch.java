package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests join orders for graphs of the usual forms. */
class TestJoinSearch {
    private final List<JoinCardinality.Edge> edges = new ArrayList<>();
    private final List<JoinCardinality.Condition> conditions = new ArrayList<>();
    private int classes;

    /** Adds a separate equality of two factors. It divides the product of their row counts by a number. */
    private void edge(int first, int second, double matching) {
        edges.add(new JoinCardinality.Edge(first, second, Map.of(classes++, matching), matching));
    }

    private void inClass(int ofClass, int first, int second, double matching) {
        edges.add(new JoinCardinality.Edge(first, second, Map.of(ofClass, matching), matching));
        classes = Math.max(classes, ofClass + 1);
    }

    private JoinCardinality cardinality(double... rows) {
        return new JoinCardinality(rows, classes, edges, conditions);
    }

    private JoinTree cheapest(double... rows) {
        return new JoinSearch(cardinality(rows)).cheapest();
    }

    private static String text(JoinTree tree) {
        return tree.inputs()
                .map(inputs -> "(" + text(inputs.probe()) + " " + text(inputs.build()) + ")")
                .orElseGet(() -> Long.toString(Long.numberOfTrailingZeros(tree.set())));
    }

    private static boolean isBushy(JoinTree tree) {
        return tree.inputs()
                .map(inputs -> inputs.probe().inputs().isPresent()
                                && inputs.build().inputs().isPresent()
                        || isBushy(inputs.probe())
                        || isBushy(inputs.build()))
                .orElse(false);
    }

    private static boolean hasProduct(JoinTree tree, JoinCardinality cardinality) {
        return tree.inputs()
                .map(inputs -> {
                    boolean connected = false;
                    for (int i = 0; i < cardinality.factors(); i++) {
                        connected |= (inputs.probe().set() >>> i & 1) != 0
                                && (cardinality.neighbours(i) & inputs.build().set()) != 0;
                    }
                    return !connected
                            || hasProduct(inputs.probe(), cardinality)
                            || hasProduct(inputs.build(), cardinality);
                })
                .orElse(false);
    }

    @Test
    void starTakesTheDimensionThatKeepsLeastFirst() {
        edge(0, 1, 1000);
        edge(0, 2, 1000);
        edge(0, 3, 1000);
        assertThat(text(cheapest(1e7, 900, 10, 300))).isEqualTo("(((0 2) 3) 1)");
    }

    @Test
    void chainIsNotCrossed() {
        for (int i = 0; i < 5; i++) {
            edge(i, i + 1, 1e5);
        }
        JoinTree tree = cheapest(1e6, 1e5, 1e5, 1e5, 1e5, 10);
        assertThat(hasProduct(tree, cardinality(1e6, 1e5, 1e5, 1e5, 1e5, 10))).isFalse();
        assertThat(tree.rows()).isCloseTo(100, within(1e-6));
    }

    @Test
    void snowflakeJoinsSmallBranchesFirst() {
        // A fact table of a million rows and two dimensions, each of which has its own filtered dimension.
        edge(0, 1, 1e5);
        edge(1, 2, 1e3);
        edge(0, 3, 1e5);
        edge(3, 4, 1e3);
        JoinTree tree = cheapest(1e6, 1e5, 100, 1e5, 100);
        assertThat(isBushy(tree)).isTrue();
        assertThat(text(tree)).isIn("((0 (1 2)) (3 4))", "((0 (3 4)) (1 2))");
    }

    @Test
    void factsThatShareDimensionsMeetThroughTheirClass() {
        // b and c are both compared with a, but not with each other.
        inClass(0, 0, 1, 1e6);
        inClass(0, 0, 2, 1e6);
        inClass(0, 1, 2, 1e6);
        JoinTree tree = cheapest(1e6, 10, 20);
        assertThat(tree.rows()).isCloseTo(1, within(1e-6));
        assertThat(text(tree)).isEqualTo("(0 (2 1))");
    }

    @Test
    void oneEqualityLessThanFactorsCountsOfAClass() {
        inClass(0, 0, 1, 100);
        inClass(0, 0, 2, 1000);
        inClass(0, 1, 2, 1000);
        JoinCardinality cardinality = cardinality(1e4, 1e4, 1e4);
        assertThat(cardinality.rows(0b111)).isCloseTo(1e12 / 100 / 1000, within(1e-3));
        assertThat(cardinality.rows(0b110)).isCloseTo(1e8 / 1000, within(1e-3));
    }

    @Test
    void keysOfSeveralColumnsCountTogether() {
        // Line items, parts with their suppliers, parts, and suppliers, as in TPC-H.
        edges.add(new JoinCardinality.Edge(0, 1, Map.of(0, 2e5, 1, 1e4), 8e5));
        inClass(0, 0, 2, 2e5);
        inClass(0, 1, 2, 2e5);
        inClass(1, 0, 3, 1e4);
        inClass(1, 1, 3, 1e4);
        assertThat(cardinality(6e6, 8e5, 2e5, 1e4).rows(0b1111)).isCloseTo(6e6, within(1.0));
        assertThat(cardinality(6e6, 8e5, 2e5, 1e4).rows(0b1101)).isCloseTo(6e6, within(1.0));
    }

    @Test
    void cycleOfDifferentColumnsCountsThemAll() {
        edge(0, 1, 10);
        edge(1, 2, 10);
        edge(0, 2, 10);
        assertThat(cardinality(1000, 1000, 1000).rows(0b111)).isCloseTo(1e6, within(1e-3));
    }

    @Test
    void otherConditionsConnectToo() {
        conditions.add(new JoinCardinality.Condition(0b11, 0.5));
        edge(1, 2, 10);
        JoinTree tree = cheapest(100, 100, 100);
        assertThat(hasProduct(tree, cardinality(100, 100, 100))).isFalse();
        assertThat(tree.rows()).isCloseTo(1e6 / 10 * 0.5, within(1e-3));
    }

    @Test
    void productsOnlyWhereNothingJoins() {
        edge(0, 1, 10);
        JoinTree tree = cheapest(100, 100, 5);
        assertThat(tree.rows()).isCloseTo(5000, within(1e-3));
    }

    /** The exact search is never worse than the greedy one, on graphs of any form. */
    @Test
    void exactIsNoWorseThanAnyOtherTree() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            edges.clear();
            classes = 0;
            int count = 2 + random.nextInt(6);
            double[] rows = new double[count];
            for (int i = 0; i < count; i++) {
                rows[i] = Math.pow(10, 6 * random.nextDouble());
                if (i > 0) {
                    edge(random.nextInt(i), i, Math.pow(10, 5 * random.nextDouble()));
                }
            }
            if (count > 2 && random.nextBoolean()) {
                edge(0, count - 1, 50);
            }
            JoinCardinality cardinality = cardinality(rows);
            JoinSearch search = new JoinSearch(cardinality);
            JoinTree exact = search.cheapest();
            JoinTree greedy = search.greedy();
            assertThat(exact.cost()).as("seed %s", seed).isLessThanOrEqualTo(greedy.cost() * (1 + 1e-9));
            assertThat(exact.rows()).as("seed %s", seed).isCloseTo(greedy.rows(), within(1e-6 * greedy.rows()));
            assertThat(factors(exact)).hasSize(count);
        }
    }

    /** A clique with the maximum number of factors for the exact search, and a star with many more. */
    @Test
    void largeGraphs() {
        double[] rows = new double[JoinSearch.EXACT_FACTORS];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = 100 * (i + 1);
            for (int j = 0; j < i; j++) {
                inClass(0, j, i, 100 * (i + 1));
            }
        }
        assertThat(factors(cheapest(rows))).hasSize(rows.length);
        edges.clear();
        classes = 0;
        double[] star = new double[50];
        star[0] = 1e8;
        for (int i = 1; i < star.length; i++) {
            star[i] = 100 + i;
            edge(0, i, 200);
        }
        JoinTree tree = cheapest(star);
        assertThat(factors(tree)).hasSize(50);
        assertThat(hasProduct(tree, cardinality(star))).isFalse();
    }

    private static List<Long> factors(JoinTree tree) {
        return tree.inputs()
                .map(inputs -> Stream.of(inputs.probe(), inputs.build())
                        .flatMap(input -> factors(input).stream())
                        .distinct()
                        .collect(Collectors.toList()))
                .orElseGet(() -> List.of(tree.set()));
    }
}
