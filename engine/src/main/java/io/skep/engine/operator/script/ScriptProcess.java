package io.skep.engine.operator.script;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A running script. Its run is over when it has exited and its output has ended. Processes that it leaves behind may
 * go on to write for as long as they do so without a long pause. {@link #close} kills all of them.
 */
final class ScriptProcess implements AutoCloseable {
    /**
     * The program that passes the script's output on. The JDK closes its own end of a process's stdout as soon as the
     * process has exited, and what descendants write later would be lost. This process exits when nothing can write to
     * the script's stdout any more.
     */
    private static final List<String> RELAY = List.of("cat");

    private final Process process;
    private final Process relay;
    private final ScriptTree tree;
    private final ScriptPipes pipes;
    private final long pauseNanos;

    /**
     * Awaits the exit. {@link Process#onExit} would need a thread of the common pool, which other code of this process
     * may hold for as long as it likes.
     */
    private final Thread exit = Thread.ofPlatform().daemon().name("script-exit").unstarted(this::awaitExit);

    private volatile boolean exited;

    @GuardedBy("this")
    private long seenPieces = -1;

    /**
     * What a process is started with.
     *
     * @param run marks the process and its descendants
     * @param pause how long what the script left behind may hold its output without writing
     */
    record Start(List<String> command, Path folder, Map<String, String> variables, String run, Duration pause) {}

    private ScriptProcess(Process process, Process relay, ScriptTree tree, ScriptPipes pipes, Duration pause) {
        this.process = process;
        this.relay = relay;
        this.tree = tree;
        this.pipes = pipes;
        this.pauseNanos = pause.toNanos();
    }

    /**
     * @param name names the script in the log and its threads
     * @param maxLoggedBytes bytes of stderr that go to the log
     */
    static ScriptProcess start(Start start, String name, long maxLoggedBytes) {
        ProcessBuilder builder =
                new ProcessBuilder(start.command()).directory(start.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(start.variables());
        ProcessBuilder passing = new ProcessBuilder(RELAY).redirectError(ProcessBuilder.Redirect.DISCARD);
        passing.environment().clear();
        try {
            List<Process> both = ProcessBuilder.startPipeline(List.of(builder, passing));
            Process process = both.getFirst();
            Process relay = both.getLast();
            ScriptTree tree = new ScriptTree(process, start.run());
            ScriptPipes pipes = new ScriptPipes(
                    process.getOutputStream(), relay.getInputStream(), process.getErrorStream(), name, maxLoggedBytes);
            ScriptProcess started = new ScriptProcess(process, relay, tree, pipes, start.pause());
            started.exit.start();
            return started;
        } catch (IOException e) {
            throw ScriptErrors.start(e.getMessage() + ".", e);
        }
    }

    private void awaitExit() {
        try {
            if (process.waitFor() == 0) {
                watch();
            } else {
                tree.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exited = true;
            pipes.changed();
        }
    }

    /** Lets callers that wait for a change look again after the pause. */
    void wakeLater() {
        later(pipes::changed);
    }

    private void later(Runnable work) {
        Executor ownThread =
                due -> Thread.ofPlatform().daemon().name("script-pause").start(due);
        CompletableFuture.delayedExecutor(pauseNanos, TimeUnit.NANOSECONDS, ownThread)
                .execute(work);
    }

    /** Looks after a pause whether what the script has left behind has written something, and kills it if not. */
    private void watch() {
        later(this::look);
    }

    private void look() {
        boolean outputEnded = pipes.outputEnded();
        if (outputEnded && pipes.inputIsDone()) {
            return;
        }
        long pieces = pipes.pieces();
        boolean writes;
        synchronized (this) {
            writes = pieces != seenPieces || pipes.isFull();
            seenPieces = pieces;
        }
        if (writes && !outputEnded) {
            watch();
            return;
        }
        // What has inherited the script's stdin may hold up the input too.
        tree.kill();
        if (!outputEnded) {
            pipes.abandonOutput();
        }
    }

    ScriptPipes pipes() {
        return pipes;
    }

    /** Returns the exit status, once the script has exited and all of its output is here. */
    OptionalInt status() {
        return exited && pipes.outputEnded() ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    }

    /** Kills the script and all of its descendants, and ends the threads of its pipes. */
    @Override
    public void close() {
        tree.kill();
        relay.destroyForcibly();
        pipes.close();
        try {
            exit.join(ScriptPipes.LONGEST_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
