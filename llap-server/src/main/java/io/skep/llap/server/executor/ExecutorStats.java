package io.skep.llap.server.executor;

/**
 * The threads of an {@link ExecutorPool} at a moment.
 *
 * @param running executors at work
 * @param queued steps that could run and wait for an executor
 * @param detached threads in steps that run too long; others have taken their places
 * @param writtenOff those of them whose tasks have ended without them
 * @param overdue executors in steps that run too long and that nobody replaces, since there are too many already
 */
public record ExecutorStats(int running, int queued, int detached, int writtenOff, int overdue) {}
