package io.skep.llap.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.OutputSource;
import io.skep.llap.server.executor.IoPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Copies of other daemons' broadcast outputs that tasks of one query read in this daemon. Each output is fetched once,
 * however many tasks read it, and kept like an output of this daemon. A copy is freed when no task is left that may
 * read it. If its consumers may be run again, it is kept until the query ends. Guarded by itself; no other code is
 * called with the lock held.
 */
public final class BroadcastCopies {
    private final QueryId query;
    private final MemoryPool memory;
    private final SpillSpace spill;
    private final IoPool io;

    @GuardedBy("this")
    private final Map<OutputLocation, Integer> tasks = new HashMap<>();

    @GuardedBy("this")
    private final Map<OutputLocation, BroadcastCopy> copies = new HashMap<>();

    @GuardedBy("this")
    private final List<CompletableFuture<?>> closing = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable SkepException ended;

    /**
     * @param memory account of rows in memory; the owner closes it
     * @param spill space for the other rows; the owner closes it
     */
    public BroadcastCopies(QueryId query, MemoryPool memory, SpillSpace spill, IoPool io) {
        this.query = query;
        this.memory = memory;
        this.spill = spill;
        this.io = io;
    }

    /** Registers a task that may read these outputs. */
    public synchronized void expect(Collection<OutputLocation> outputs) {
        outputs.forEach(output -> tasks.merge(output, 1, Integer::sum));
    }

    /**
     * Unregisters a task that has ended.
     *
     * @param keep whether other tasks may arrive that read the outputs
     */
    public void leave(Collection<OutputLocation> outputs, boolean keep) {
        List<BroadcastCopy> unread = new ArrayList<>();
        synchronized (this) {
            for (OutputLocation output : outputs) {
                int left = tasks.merge(output, -1, Integer::sum);
                if (left > 0) {
                    continue;
                }
                tasks.remove(output);
                BroadcastCopy copy = keep ? null : copies.remove(output);
                if (copy != null) {
                    unread.add(copy);
                    closing.add(copy.ended());
                }
            }
        }
        unread.forEach(copy -> copy.close(over()));
    }

    private static SkepException over() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "no task reads the rows any more");
    }

    /**
     * Opens an output for one task.
     *
     * @param peers connections to other daemons
     * @throws SkepException when the query has ended
     */
    public PageInput open(OutputLocation output, Function<DaemonIdentity, ? extends OutputSource> peers) {
        OutputSource peer = peers.apply(output.daemon());
        BroadcastCopy copy;
        PageInput reader;
        boolean first;
        synchronized (this) {
            if (ended != null) {
                throw ended;
            }
            BroadcastCopy known = copies.get(output);
            first = known == null || known.isClosed();
            copy = known == null || first ? new BroadcastCopy(memory, spill, io) : known;
            copies.put(output, copy);
            reader = copy.reader();
        }
        if (first) {
            copy.fetch(RemoteInput.open(memory, peer, query, output.output(), 0));
        } else {
            peer.releaseReader(query, output.output());
        }
        return reader;
    }

    /** Stops all fetching and frees all rows. Completes when nothing is left. */
    public CompletableFuture<?> end(SkepException reason) {
        List<BroadcastCopy> left;
        List<CompletableFuture<?>> ends;
        synchronized (this) {
            ended = ended == null ? reason : ended;
            left = List.copyOf(copies.values());
            copies.clear();
            left.forEach(copy -> closing.add(copy.ended()));
            ends = List.copyOf(closing);
        }
        left.forEach(copy -> copy.close(reason));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }
}
