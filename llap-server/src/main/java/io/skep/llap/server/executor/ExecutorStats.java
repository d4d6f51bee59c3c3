package io.skep.llap.server.executor;

/**
 * The threads of an {@link ExecutorPool} at one point in time.
 *
 * @param running executors that run a step
 * @param queued steps that are ready and wait for an executor
 * @param detached threads in steps that run too long; others have replaced them
 * @param writtenOff detached threads whose tasks have ended without them
 * @param overdue executors in steps that run too long and that are not replaced, because too many threads are detached
 *     already
 */
public record ExecutorStats(int running, int queued, int detached, int writtenOff, int overdue) {}
