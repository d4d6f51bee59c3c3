package io.skep.bench.rpc;

import io.skep.bench.process.ProcessUse;
import io.skep.common.config.SettingsReader;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.rpc.DaemonServer;
import io.skep.storage.scan.PageSourceFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;

/**
 * The server side in a separate process: a daemon behind Skep's RPC or behind Thrift. It prints its port. For each line
 * that it reads, it prints its threads, connections and peak memory. It exits at the end of its input.
 */
final class RpcServerFork {
    private static final int BACKLOG = 20_000;

    private RpcServerFork() {}

    /** Arguments: {@code skep} or {@code thrift}, and a folder. */
    public static void main(String[] arguments) throws IOException, TException {
        try (LlapDaemon daemon = daemon(Path.of(arguments[1]))) {
            if (arguments[0].equals("skep")) {
                skep(daemon);
            } else {
                thrift(daemon);
            }
        }
    }

    private static LlapDaemon daemon(Path folder) {
        LlapConfig config = LlapConfig.derive(folder.resolve("spill"));
        DaemonResources resources = new DaemonResources(config, split -> {
            throw new IllegalStateException("no files are read here");
        });
        PageSourceFactory none = (request, split, memory) -> {
            throw new IllegalStateException("no files are read here");
        };
        DaemonStorage storage = new DaemonStorage(none, none, (table, path) -> {
            throw new IllegalStateException("no files are written here");
        });
        return new LlapDaemon(new DaemonIdentity(0, "any", config.executors()), config, resources, storage, peer -> {
            throw new IllegalStateException("no fragment reads another");
        });
    }

    private static void skep(LlapDaemon daemon) throws IOException {
        RpcConfig config = RpcConfig.of(new SettingsReader(Map.of()));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (RpcThreads threads = new RpcThreads("rpc");
                DaemonServer server = DaemonServer.start(
                        address, config, threads, new PageCodec(BatchCodec::encode, BatchCodec::decode))) {
            server.serve(daemon, () -> {});
            answer(server.port(), server::connectionCount);
        }
    }

    private static void thrift(LlapDaemon daemon) throws IOException, TException {
        TServerSocket socket = new TServerSocket(new TServerSocket.ServerSocketTransportArgs()
                .bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .backlog(BACKLOG));
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>());
        TThreadPoolServer server = new TThreadPoolServer(new TThreadPoolServer.Args(socket)
                .executorService(threads)
                .transportFactory(new TFramedTransport.Factory())
                .protocolFactory(new TBinaryProtocol.Factory())
                .processorFactory(new TProcessorFactory(new ThriftFragments(daemon)) {
                    @Override
                    public TProcessor getProcessor(TTransport transport) {
                        return new ThriftFragments(daemon);
                    }
                }));
        Thread serving = Thread.ofPlatform().daemon().name("thrift").start(server::serve);
        answer(socket.getServerSocket().getLocalPort(), threads::getActiveCount);
        server.stop();
        serving.interrupt();
        threads.shutdownNow();
    }

    private static void answer(int port, IntSupplier connections) throws IOException {
        System.out.println("port " + port);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            while (lines.readLine() != null) {
                System.out.println("figures "
                        + ManagementFactory.getThreadMXBean().getPeakThreadCount() + " " + connections.getAsInt() + " "
                        + (ProcessUse.peakBytes() >> 20) + " " + ProcessUse.cpuNanos());
            }
        }
    }
}
