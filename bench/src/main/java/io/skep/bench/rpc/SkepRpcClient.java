package io.skep.bench.rpc;

import io.skep.common.config.SettingsReader;
import io.skep.common.query.QueryId;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Skep's RPC: one connection for each host, which carries everything else. */
final class SkepRpcClient implements RpcClient {
    private final EncodedPlan plan = FragmentWork.plan();
    private final AtomicLong queries = new AtomicLong();

    @Override
    public void run(int port, RpcLoad load, long endNanos, RpcStats tally) {
        RpcConfig config = RpcConfig.of(new SettingsReader(Map.of()));
        PageCodec codec = new PageCodec(BatchCodec::encode, BatchCodec::decode);
        List<RemoteDaemon> hosts = new ArrayList<>();
        try (RpcThreads threads = new RpcThreads("bench")) {
            DaemonConnector connector = new DaemonConnector(config, threads, codec);
            for (int host = 0; host < load.hosts(); host++) {
                hosts.add(connector.connect(new DaemonEndpoint("127.0.0.1", port), Optional.empty()));
            }
            List<CompletableFuture<?>> running = new ArrayList<>();
            for (RemoteDaemon host : hosts) {
                host.connected().join();
            }
            for (RemoteDaemon host : hosts) {
                for (int query = 0; query < load.queries(); query++) {
                    running.add(rounds(host, load.fragments(), endNanos, tally, threads));
                }
            }
            running.forEach(CompletableFuture::join);
            hosts.forEach(RemoteDaemon::close);
        }
    }

    private CompletableFuture<?> rounds(
            RemoteDaemon host, int fragments, long endNanos, RpcStats tally, RpcThreads threads) {
        QueryId query = new QueryId("bench" + queries.incrementAndGet());
        host.register(query, plan);
        CompletableFuture<?>[] all = new CompletableFuture<?>[fragments];
        for (int i = 0; i < fragments; i++) {
            all[i] = fragment(host, query, i, tally);
        }
        return CompletableFuture.allOf(all)
                .thenCompose(ignored -> host.finishQuery(query, "done"))
                .thenComposeAsync(
                        ignored -> System.nanoTime() < endNanos
                                ? rounds(host, fragments, endNanos, tally, threads)
                                : CompletableFuture.completedFuture(null),
                        threads.workers());
    }

    private CompletableFuture<?> fragment(RemoteDaemon host, QueryId query, int number, RpcStats tally) {
        long start = System.nanoTime();
        CompletableFuture<?> task = host.submit(FragmentWork.submission(query, plan, number));
        PageStream pages = host.open(query, FragmentWork.output(number), 0);
        return read(pages, 0).thenCombine(task, (count, stats) -> count).handle((count, failure) -> {
            if (failure == null) {
                // The calls are the submission, each page, the end of pages, and the end of the task.
                tally.fragment(System.nanoTime() - start, count + 3, FragmentWork.BYTES);
            } else {
                tally.error();
            }
            return null;
        });
    }

    private static CompletableFuture<Long> read(PageStream pages, long count) {
        return pages.next()
                .thenCompose(
                        rows -> rows.isPresent() ? read(pages, count + 1) : CompletableFuture.completedFuture(count));
    }
}
