package io.skep.tez;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.tez.dag.api.UserPayload;

/**
 * What a vertex manager has to know.
 *
 * @param taskBytes see {@link VertexSettings}, as what follows
 * @param partitioned the producing fragments whose outputs are partitioned; empty when the vertex keeps the tasks that were planned
 * @param sliceable those among them of which a task may read a part of a partition; all or none
 */
record VertexTerms(
        long taskBytes, long skewFactor, long skewBytes, List<Integer> partitioned, List<Integer> sliceable) {
    static final VertexTerms AS_PLANNED = new VertexTerms(1, 0, 0, List.of(), List.of());

    VertexTerms {
        partitioned = List.copyOf(partitioned);
        sliceable = List.copyOf(sliceable);
    }

    boolean sized() {
        return !partitioned.isEmpty();
    }

    UserPayload encode() {
        int numbers = 2 + partitioned.size() + sliceable.size();
        ByteBuffer bytes = ByteBuffer.allocate(3 * Long.BYTES + numbers * Integer.BYTES);
        bytes.putLong(taskBytes).putLong(skewFactor).putLong(skewBytes);
        put(bytes, partitioned);
        put(bytes, sliceable);
        return UserPayload.create(bytes.flip());
    }

    private static void put(ByteBuffer bytes, List<Integer> numbers) {
        bytes.putInt(numbers.size());
        numbers.forEach(bytes::putInt);
    }

    static VertexTerms decode(UserPayload payload) {
        ByteBuffer bytes = payload.getPayload().duplicate();
        return new VertexTerms(bytes.getLong(), bytes.getLong(), bytes.getLong(), numbers(bytes), numbers(bytes));
    }

    private static List<Integer> numbers(ByteBuffer bytes) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = bytes.getInt(); i > 0; i--) {
            numbers.add(bytes.getInt());
        }
        return numbers;
    }
}
