package io.skep.llap.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.EncodedPlan;

/** Decoded plans, by name. Thread-safe. */
final class PlanCache {
    private static final int CAPACITY = 512;

    private final Cache<String, StageGraph> plans =
            Caffeine.newBuilder().executor(Runnable::run).maximumSize(CAPACITY).build();

    StageGraph open(EncodedPlan image) {
        return image.graph().open(StageGraph.class, bytes -> decode(image.name(), bytes));
    }

    private StageGraph decode(String name, byte[] bytes) {
        StageGraph known = plans.getIfPresent(name);
        if (known != null) {
            return known;
        }
        // No lock is held while a plan is decoded: two threads may decode the same one.
        StageGraph decoded = PlanCodec.decode(bytes);
        plans.put(name, decoded);
        return decoded;
    }
}
