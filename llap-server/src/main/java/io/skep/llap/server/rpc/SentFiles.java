package io.skep.llap.server.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.PlanFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The files that the queries of one connected process need, including those that the process has been asked to send.
 * Thread-safe.
 */
final class SentFiles {
    private final PlanFileStore store;
    private final Consumer<String> ask;
    private final Map<QueryId, Queue<String>> used = new ConcurrentHashMap<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    /** @param ask asks the process to send the file with a hash */
    SentFiles(PlanFileStore store, Consumer<String> ask) {
        this.store = store;
        this.ask = ask;
    }

    /** Registers the files of a query. Returns their future local paths, by location. */
    Map<String, CompletableFuture<Path>> use(QueryId query, List<PlanFile> files) {
        Map<String, CompletableFuture<Path>> here = new HashMap<>();
        for (PlanFile file : files) {
            String hash = file.hash();
            used.computeIfAbsent(query, _ -> new ConcurrentLinkedQueue<>()).add(hash);
            here.put(file.location(), store.use(hash, () -> {
                asked.add(hash);
                ask.accept(hash);
            }));
        }
        return here;
    }

    /** Unregisters the files of a query that has ended. */
    void leave(QueryId query) {
        Queue<String> files = used.remove(query);
        if (files != null) {
            files.forEach(store::leave);
        }
    }

    /** Fails all files that the process has not sent, because the process is gone. */
    void fail() {
        SkepException gone = new SkepException(
                StandardErrorCode.DAEMON_LOST, "the process that was to send a file of the plan is gone");
        asked.forEach(hash -> store.fail(hash, gone));
    }
}
