package io.skep.tez.vertex;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.tez.dag.VertexConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.tez.dag.api.UserPayload;

/**
 * The parameters of a vertex manager.
 *
 * @param taskBytes see {@link VertexConfig}, also for the next three
 * @param partitioned the producing fragments whose outputs are partitioned
 * @param fragment the plan of the tasks; empty when their part of the input stays as planned
 * @param pruning which splits may be pruned; empty when all are read
 */
public record VertexManagerPayload(
        long taskBytes,
        long skewFactor,
        long skewBytes,
        long switchFactor,
        List<Integer> partitioned,
        Optional<Fragment> fragment,
        Optional<SplitPruning> pruning) {
    public static final VertexManagerPayload AS_PLANNED =
            new VertexManagerPayload(1, 0, 0, 0, List.of(), Optional.empty(), Optional.empty());

    public VertexManagerPayload {
        partitioned = List.copyOf(partitioned);
    }

    /** Whether the vertex's tasks may differ from the planned ones. */
    boolean changesTasks() {
        return fragment.isPresent() || pruning.isPresent();
    }

    public VertexManagerPayload withPruning(Optional<SplitPruning> splits) {
        return new VertexManagerPayload(taskBytes, skewFactor, skewBytes, switchFactor, partitioned, fragment, splits);
    }

    public UserPayload encode() {
        byte[] plan = fragment.map(
                        one -> PlanCodec.encode(new StageGraph(List.of(one), List.of(), List.of(), List.of(), 0)))
                .orElse(new byte[0]);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(taskBytes);
            out.writeLong(skewFactor);
            out.writeLong(skewBytes);
            out.writeLong(switchFactor);
            out.writeInt(partitioned.size());
            for (int fragmentId : partitioned) {
                out.writeInt(fragmentId);
            }
            out.writeInt(plan.length);
            out.write(plan);
            out.writeBoolean(pruning.isPresent());
            if (pruning.isPresent()) {
                pruning.get().write(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UserPayload.create(ByteBuffer.wrap(bytes.toByteArray()));
    }

    static VertexManagerPayload decode(UserPayload payload) {
        ByteBuffer buffer = Objects.requireNonNull(payload.getPayload()).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new VertexManagerPayload(
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    numbers(in),
                    fragment(in),
                    in.readBoolean() ? Optional.of(SplitPruning.read(in)) : Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Fragment> fragment(DataInputStream in) throws IOException {
        byte[] plan = in.readNBytes(in.readInt());
        return plan.length == 0
                ? Optional.empty()
                : Optional.of(PlanCodec.decode(plan).root());
    }

    private static List<Integer> numbers(DataInputStream in) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            numbers.add(in.readInt());
        }
        return numbers;
    }
}
