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
 * @param limits of the operations of all sessions
 * @param commands run what has no plan
 * @param kept accounts for the rows of commands
 * @param atWork threads that compile or run statements now
 * @param clock for times that are shown
 * @param steady for how long something has been unused or under way; steps of the wall clock do not change it
 */
record SessionParts(
        SessionConfig terms,
        QueryIdGenerator names,
        OperationHistory history,
        Timers timers,
        CompilePool compilers,
        Map<UUID, ClientSession> owners,
        OperationLimits limits,
        CommandThreads commands,
        KeptRows kept,
        AtomicInteger atWork,
        InstantSource clock,
        InstantSource steady) {}
