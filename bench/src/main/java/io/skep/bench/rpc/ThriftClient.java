package io.skep.bench.rpc;

import io.skep.common.query.QueryId;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;

/**
 * Thrift in its traditional use between the parts of query engines: one connection and one thread on both sides for
 * each fragment.
 */
final class ThriftClient implements RpcClient {
    private static final int STACK_BYTES = 256 << 10;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final EncodedPlan plan = FragmentWork.plan();
    private final AtomicLong queries = new AtomicLong();

    @Override
    public void run(int port, RpcLoad load, long endNanos, RpcStats tally) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < load.hosts() * load.queries(); i++) {
                Round round = new Round(load.fragments());
                for (int fragment = 0; fragment < load.fragments(); fragment++) {
                    int number = fragment;
                    Thread thread = new Thread(
                            null, () -> fragments(port, round, number, endNanos, tally), "fragment", STACK_BYTES);
                    thread.setDaemon(true);
                    thread.start();
                    threads.add(thread);
                }
            }
        } catch (OutOfMemoryError e) {
            // The system cannot create more threads. The missing threads count as errors, and their queries cannot end.
            for (int i = threads.size(); i < load.streams(); i++) {
                tally.error();
            }
        }
        for (Thread thread : threads) {
            thread.join(Math.max(1, (endNanos - System.nanoTime()) / 1_000_000 + TIMEOUT_MILLIS));
        }
    }

    /** Lets the fragments of a query begin and end together. */
    private static final class Round {
        private final CyclicBarrier barrier;
        private volatile QueryId query = new QueryId("none");
        private volatile boolean over;

        Round(int fragments) {
            barrier = new CyclicBarrier(fragments);
        }
    }

    private void fragments(int port, Round round, int number, long endNanos, RpcStats tally) {
        try (TSocket socket = new TSocket("127.0.0.1", port, TIMEOUT_MILLIS)) {
            socket.open();
            TProtocol protocol = new TBinaryProtocol(new TFramedTransport(socket));
            while (!round.over) {
                if (number == 0) {
                    round.query = new QueryId("bench" + queries.incrementAndGet());
                    control(protocol, new ClientFrame.Register(round.query, plan, List.of()));
                }
                round.barrier.await();
                fragment(protocol, round.query, number, tally);
                round.barrier.await();
                if (number == 0) {
                    control(protocol, new ClientFrame.End(0, round.query, "done"));
                    round.over = System.nanoTime() >= endNanos;
                }
                round.barrier.await();
            }
        } catch (TException | BrokenBarrierException e) {
            tally.error();
            round.over = true;
            round.barrier.reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void control(TProtocol protocol, ClientFrame frame) throws TException {
        new ThriftMessage("control", FrameCodec.encodeClient(List.of(frame))).call(protocol);
    }

    private void fragment(TProtocol protocol, QueryId query, int number, RpcStats tally) throws TException {
        long start = System.nanoTime();
        control(protocol, new ClientFrame.Submit(0, FragmentWork.submission(query, plan, number)));
        PageRequest rows = new PageRequest(query, FragmentWork.output(number), 0);
        new ThriftMessage("open", ReaderFrameCodec.encode(List.of(new ReaderFrame.Open(0, rows, Long.MAX_VALUE))))
                .call(protocol);
        long pages = 0;
        ThriftMessage next = new ThriftMessage("next", new byte[0]);
        for (byte[] page = next.call(protocol); page.length > 0; page = next.call(protocol)) {
            BatchCodec.decode(page);
            pages++;
        }
        FrameCodec.decodeDaemon(new ThriftMessage("await", new byte[0]).call(protocol));
        // The same number of calls as over Skep's RPC, where opening is not a separate call.
        tally.fragment(System.nanoTime() - start, pages + 3, FragmentWork.BYTES);
    }
}
