package io.skep.tez;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.tez.dag.api.UserPayload;

/**
 * What a vertex manager has to know.
 *
 * @param taskBytes see {@link VertexSettings}, as the next three
 * @param partitioned the producing fragments whose outputs are partitioned
 * @param fragment what the tasks do; nothing when the vertex keeps the tasks that were planned
 */
record VertexTerms(
        long taskBytes,
        long skewFactor,
        long skewBytes,
        long switchFactor,
        List<Integer> partitioned,
        Optional<Fragment> fragment) {
    static final VertexTerms AS_PLANNED = new VertexTerms(1, 0, 0, 0, List.of(), Optional.empty());

    VertexTerms {
        partitioned = List.copyOf(partitioned);
    }

    UserPayload encode() {
        byte[] plan = fragment.map(
                        one -> PlanCodec.encode(new StageGraph(List.of(one), List.of(), List.of(), List.of(), 0)))
                .orElse(new byte[0]);
        ByteBuffer bytes = ByteBuffer.allocate(4 * Long.BYTES + (1 + partitioned.size()) * Integer.BYTES + plan.length);
        bytes.putLong(taskBytes).putLong(skewFactor).putLong(skewBytes).putLong(switchFactor);
        bytes.putInt(partitioned.size());
        partitioned.forEach(bytes::putInt);
        return UserPayload.create(bytes.put(plan).flip());
    }

    static VertexTerms decode(UserPayload payload) {
        ByteBuffer bytes = Objects.requireNonNull(payload.getPayload()).duplicate();
        return new VertexTerms(
                bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong(), numbers(bytes), fragment(bytes));
    }

    private static Optional<Fragment> fragment(ByteBuffer bytes) {
        byte[] plan = new byte[bytes.remaining()];
        bytes.get(plan);
        return plan.length == 0
                ? Optional.empty()
                : Optional.of(PlanCodec.decode(plan).root());
    }

    private static List<Integer> numbers(ByteBuffer bytes) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = bytes.getInt(); i > 0; i--) {
            numbers.add(bytes.getInt());
        }
        return numbers;
    }
}
