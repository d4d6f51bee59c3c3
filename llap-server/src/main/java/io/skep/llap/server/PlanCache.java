package io.skep.llap.server;

import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.EncodedPlan;
import java.util.LinkedHashMap;
import java.util.Map;

/** The most recently used decoded plans, by name. Guarded by itself. */
final class PlanCache {
    private static final int CAPACITY = 512;

    private final Map<String, StageGraph> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StageGraph> eldest) {
            return size() > CAPACITY;
        }
    };

    StageGraph open(EncodedPlan image) {
        return image.graph().open(StageGraph.class, bytes -> decode(image.name(), bytes));
    }

    private StageGraph decode(String name, byte[] bytes) {
        synchronized (this) {
            StageGraph known = plans.get(name);
            if (known != null) {
                return known;
            }
        }
        StageGraph decoded = PlanCodec.decode(bytes);
        synchronized (this) {
            plans.put(name, decoded);
        }
        return decoded;
    }
}
