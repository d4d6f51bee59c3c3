package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The estimated number of rows of each operator of a plan, for EXPLAIN. Operators are addressed by their fragment and
 * by their position in it: an operator comes before its inputs, and inputs come from left to right. Rewrites that keep
 * the shape of a fragment therefore keep its estimates.
 */
public final class EstimatedRows {
    /** By fragment and position. An unknown number is NaN. */
    private final List<double[]> fragments;

    private EstimatedRows(List<double[]> fragments) {
        this.fragments = List.copyOf(fragments);
    }

    /**
     * @param fragment the position of the fragment in its stage graph
     * @param operator the position of the operator in its fragment
     */
    public OptionalDouble of(int fragment, int operator) {
        double rows = fragments.get(fragment)[operator];
        return Double.isNaN(rows) ? OptionalDouble.empty() : OptionalDouble.of(rows);
    }

    /** Returns the estimates of other fragments, each of which has the operators of one of these fragments. */
    EstimatedRows arranged(List<Integer> origins) {
        return new EstimatedRows(origins.stream().map(fragments::get).toList());
    }

    /** Collects estimates while a query is planned. Owned by the planning of one query. */
    static final class Collector {
        private final IdentityHashMap<PlanNode, Double> known = new IdentityHashMap<>();

        /** Records the rows of a part's top operator, unless they are known. */
        Planned add(Planned part) {
            known.putIfAbsent(part.node(), part.rows());
            return part;
        }

        void add(PlanNode node, double rows) {
            known.putIfAbsent(node, rows);
        }

        /** @param fragments producers come before consumers */
        EstimatedRows of(List<Fragment> fragments) {
            Map<Integer, Double> outputs = new HashMap<>();
            List<double[]> all = new ArrayList<>();
            for (Fragment fragment : fragments) {
                List<Double> rows = new ArrayList<>();
                outputs.put(fragment.id(), add(fragment.root(), outputs, rows));
                all.add(rows.stream().mapToDouble(Double::doubleValue).toArray());
            }
            return new EstimatedRows(all);
        }

        private double add(PlanNode node, Map<Integer, Double> outputs, List<Double> rows) {
            int position = rows.size();
            rows.add(Double.NaN);
            double inputs = 0;
            for (PlanNode input : node.inputs()) {
                inputs += add(input, outputs, rows);
            }
            Double recorded = known.get(node);
            double own = recorded == null ? derived(node, inputs, outputs) : recorded;
            rows.set(position, own);
            return own;
        }

        /** Returns the rows of an operator that the planner adds on its own, as far as its inputs determine them. */
        private static double derived(PlanNode node, double inputs, Map<Integer, Double> outputs) {
            return switch (node) {
                case PlanNode.Values n -> n.rows().size();
                case PlanNode.RemoteSource n ->
                    n.fragments().stream()
                            .mapToDouble(fragment -> outputs.getOrDefault(fragment, Double.NaN))
                            .sum();
                case PlanNode.Project _, PlanNode.Sort _, PlanNode.Window _, PlanNode.UnionAll _ -> inputs;
                case PlanNode.Limit n -> Math.min(inputs, (double) n.count());
                case PlanNode.TopN n -> Math.min(inputs, (double) n.count());
                case PlanNode.Expand n -> inputs * n.projections().size();
                case PlanNode.Scan _, PlanNode.Filter _, PlanNode.Join _, PlanNode.Aggregate _ -> Double.NaN;
                case PlanNode.TableFunction _, PlanNode.TableWrite _, PlanNode.Transform _ -> Double.NaN;
            };
        }
    }
}
