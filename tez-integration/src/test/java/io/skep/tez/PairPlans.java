package io.skep.tez;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** Plan parts for rows with a key and a number. */
public final class PairPlans {
    public static final List<SqlType> PAIR = List.of(PrimitiveType.BIGINT, PrimitiveType.BIGINT);

    /** Sends each row to the partition of its key. */
    public static final Fragment.Output BY_KEY = new Fragment.Output.Hash(List.of(0));

    private PairPlans() {}

    /** Returns rows with numbers from {@code first}. {@code key} computes the key of a row, counted from 0. */
    public static PlanNode pairs(long first, int rows, IntUnaryOperator key) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(key.applyAsInt(i)), new Datum.OfLong(first + i)));
        }
        return new PlanNode.Values(PAIR, data);
    }

    public static PlanNode remote(Integer... fragments) {
        return new PlanNode.RemoteSource(List.of(fragments), PAIR, List.of());
    }

    public static PlanNode join(PlanNode.JoinKind kind, PlanNode left, PlanNode right) {
        return new PlanNode.Join(kind, left, right, List.of(0), List.of(0), List.of(false), Optional.empty());
    }

    public static Fragment single(int id, PlanNode node, Fragment.Output output) {
        return new Fragment(id, node, Fragment.Distribution.SINGLE, output);
    }

    public static Fragment hashed(int id, PlanNode node, Fragment.Output output) {
        return new Fragment(id, node, Fragment.Distribution.HASH, output);
    }

    /**
     * Returns a graph of the given fragments and one more, which receives the rows of the last one and passes them to
     * the client.
     */
    public static StageGraph graph(Fragment... fragments) {
        List<Fragment> all = new ArrayList<>(List.of(fragments));
        Fragment last = all.getLast();
        List<SqlType> types = last.root().outputTypes();
        all.add(single(
                last.id() + 1,
                new PlanNode.RemoteSource(List.of(last.id()), types, List.of()),
                new Fragment.Output.Gather()));
        return new StageGraph(all, types.stream().map(SqlType::toString).toList(), types, List.of(), 1e7);
    }
}
