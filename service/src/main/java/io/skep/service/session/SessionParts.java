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
 * @param clock for times that are shown
 * @param steady for how long something has been unused or under way; steps of the wall clock do not change it
 */
record SessionParts(
        SessionTerms terms,
        QueryNames names,
        OperationHistory history,
        Timers timers,
        CompilePool compilers,
        Map<UUID, ClientSession> owners,
        AtomicInteger atWork,
        InstantSource clock,
        InstantSource steady) {}
