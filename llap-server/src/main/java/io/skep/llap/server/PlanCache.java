package io.skep.llap.server;

import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.PlanImage;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decoded plans by the hash of their content, those used last. Guarded by itself. */
final class PlanCache {
    private static final int CAPACITY = 512;

    private final Map<String, StageGraph> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StageGraph> eldest) {
            return size() > CAPACITY;
        }
    };

    StageGraph decode(PlanImage image) {
        synchronized (this) {
            StageGraph known = plans.get(image.hash());
            if (known != null) {
                return known;
            }
        }
        StageGraph decoded = PlanCodec.decode(image.bytes());
        synchronized (this) {
            plans.put(image.hash(), decoded);
        }
        return decoded;
    }
}
