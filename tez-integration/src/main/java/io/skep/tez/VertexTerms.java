package io.skep.tez;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.tez.dag.api.UserPayload;

/**
 * What a vertex manager has to know.
 *
 * @param taskBytes input that is worth a task; 0 when the vertex keeps the tasks that were planned
 * @param partitioned the producing fragments whose outputs are partitioned; empty when the vertex keeps its tasks
 */
record VertexTerms(long taskBytes, List<Integer> partitioned) {
    static final VertexTerms AS_PLANNED = new VertexTerms(0, List.of());

    VertexTerms {
        partitioned = List.copyOf(partitioned);
    }

    boolean sized() {
        return !partitioned.isEmpty();
    }

    UserPayload encode() {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Integer.BYTES * (1 + partitioned.size()));
        bytes.putLong(taskBytes).putInt(partitioned.size());
        partitioned.forEach(bytes::putInt);
        return UserPayload.create(bytes.flip());
    }

    static VertexTerms decode(UserPayload payload) {
        ByteBuffer bytes = payload.getPayload().duplicate();
        long taskBytes = bytes.getLong();
        List<Integer> partitioned = new ArrayList<>();
        for (int i = bytes.getInt(); i > 0; i--) {
            partitioned.add(bytes.getInt());
        }
        return new VertexTerms(taskBytes, partitioned);
    }
}
