package io.skep.ql.optimize;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Estimates the rows of joined sets of factors, independent of the join order. For a class of equal columns in n
 * factors, n - 1 equalities count: those that keep the most rows. This is System R's product of all but the smallest
 * number of distinct values. Factors that share several classes count first, because their keys depend on one another.
 */
final class JoinCardinality {
    /** The assumed selectivity of a condition without statistics. */
    static final double UNKNOWN = 0.3;

    /**
     * Two factors with columns of the same classes.
     *
     * @param matching by class, the number by which the product of the factors' rows is divided
     * @param together the divisor for all classes at once, at most the product of the single ones
     */
    record Edge(int first, int second, Map<Integer, Double> matching, double together) {
        long factors() {
            return 1L << first | 1L << second;
        }
    }

    /**
     * A condition on several factors.
     *
     * @param selectivity the share of rows that it keeps, among those that conditions on single factors have kept
     */
    record Condition(long factors, double selectivity) {}

    private final double[] rows;
    private final int classes;
    private final List<Edge> edges;
    private final List<Condition> conditions;
    private final long[] neighbours;

    /**
     * @param rows the rows of each factor
     * @param classes the number of classes that the edges refer to
     * @param conditions the conditions that are not edges
     */
    JoinCardinality(double[] rows, int classes, List<Edge> edges, List<Condition> conditions) {
        this.rows = rows.clone();
        this.classes = classes;
        this.edges = edges.stream()
                .sorted(Comparator.<Edge>comparingInt(edge -> -edge.matching().size())
                        .thenComparingDouble(Edge::together))
                .toList();
        this.conditions = conditions.stream()
                .filter(condition -> Long.bitCount(condition.factors()) > 1)
                .toList();
        this.neighbours = new long[rows.length];
        this.edges.forEach(edge -> connect(edge.factors()));
        this.conditions.forEach(condition -> connect(condition.factors()));
    }

    private void connect(long set) {
        for (long left = set; left != 0; left &= left - 1) {
            int factor = Long.numberOfTrailingZeros(left);
            neighbours[factor] |= set & ~(1L << factor);
        }
    }

    int factors() {
        return rows.length;
    }

    double rowsOf(int factor) {
        return rows[factor];
    }

    /** Returns the factors that share a condition with a factor. */
    long neighbours(int factor) {
        return neighbours[factor];
    }

    double rows(long set) {
        double product = 1;
        for (long left = set; left != 0; left &= left - 1) {
            product *= rows[Long.numberOfTrailingZeros(left)];
        }
        for (Condition condition : conditions) {
            product *= (condition.factors() & ~set) == 0 ? condition.selectivity() : 1;
        }
        return Math.max(1, product / matching(set));
    }

    private double matching(long set) {
        long[][] joined = new long[classes][];
        double matching = 1;
        for (Edge edge : edges) {
            if ((edge.factors() & ~set) == 0) {
                matching *= counted(edge, joined);
            }
        }
        return matching;
    }

    /**
     * Returns the divisor that an edge adds to those already counted. Afterwards its factors are joined in all its
     * classes.
     */
    private double counted(Edge edge, long[][] joined) {
        double product = 1;
        int fresh = 0;
        for (var matching : edge.matching().entrySet()) {
            if (join(edge, joined, matching.getKey())) {
                product *= matching.getValue();
                fresh++;
            }
        }
        return fresh == edge.matching().size() ? edge.together() : product;
    }

    /**
     * Joins the factors of an edge in a class.
     *
     * @param joined by class and factor, the factors joined with it in the class
     * @return false if they were already joined
     */
    private boolean join(Edge edge, long[][] joined, int ofClass) {
        if (joined[ofClass] == null) {
            joined[ofClass] = new long[rows.length];
        }
        long[] groups = joined[ofClass];
        long first = groups[edge.first()] | 1L << edge.first();
        if ((first >>> edge.second() & 1) != 0) {
            return false;
        }
        long group = first | groups[edge.second()] | 1L << edge.second();
        for (long left = group; left != 0; left &= left - 1) {
            groups[Long.numberOfTrailingZeros(left)] = group;
        }
        return true;
    }
}
