package io.skep.service.session;

import io.skep.ql.execution.CompilePool;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all sessions of a server share.
 *
 * @param compilers compile statements
 * @param owners the session of each open operation
 * @param atWork threads that compile or run statements now
 */
record SessionParts(
        SessionTerms terms,
        QueryNames names,
        OperationHistory history,
        Timers timers,
        CompilePool compilers,
        Map<UUID, ClientSession> owners,
        AtomicInteger atWork,
        InstantSource clock) {}
