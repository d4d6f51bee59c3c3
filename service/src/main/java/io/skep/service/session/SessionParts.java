package io.skep.service.session;

import io.skep.ql.execution.CompilePool;
import io.skep.service.audit.AuditLog;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts that all sessions of a server share.
 *
 * @param compilers compile statements
 * @param owners the session of each open operation
 * @param limits limits of the operations of all sessions
 * @param commands run statements without a plan
 * @param kept accounts for the rows of commands
 * @param rewindable accounts for the rows that clients may read again
 * @param audit takes a line for each statement before it runs
 * @param atWork number of threads that are compiling or running statements
 * @param clock for times that are shown
 * @param steady measures how long something was unused or in progress; not affected by changes of the wall clock
 */
record SessionParts(
        SessionConfig config,
        QueryIdGenerator names,
        OperationHistory history,
        Timers timers,
        CompilePool compilers,
        Map<UUID, ClientSession> owners,
        OperationLimits limits,
        CommandThreads commands,
        KeptRows kept,
        KeptRows rewindable,
        AuditLog audit,
        AtomicInteger atWork,
        InstantSource clock,
        InstantSource steady) {}
