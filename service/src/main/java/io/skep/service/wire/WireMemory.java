package io.skep.service.wire;

/** Memory that all connections share. */
record WireMemory(BufferPool buffers, RequestBudget requests) {
    static WireMemory of(WireTerms terms) {
        return new WireMemory(new BufferPool(), new RequestBudget(terms.requestMemory()));
    }
}
