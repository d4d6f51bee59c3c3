package io.skep.bench.rpc;

import io.skep.common.vector.Batch;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import io.skep.llap.server.LlapDaemon;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Handles the calls of one connection. It uses the same daemon, plans and page bytes as Skep's RPC, and sends one
 * answer after another. Owned by its thread.
 */
final class ThriftFragments implements TProcessor {
    private final LlapDaemon daemon;
    private @Nullable CompletableFuture<TaskStats> running;
    private @Nullable PageStream pages;

    ThriftFragments(LlapDaemon daemon) {
        this.daemon = daemon;
    }

    @Override
    public void process(TProtocol in, TProtocol out) throws TException {
        ThriftMessage call = ThriftMessage.read(in);
        byte[] answer = switch (call.name()) {
            case "control" -> control(call.content());
            case "open" -> open(call.content());
            case "next" -> next();
            case "await" -> await();
            default -> throw new TException("there is no method " + call.name());
        };
        new ThriftMessage(call.name(), answer).write(out, TMessageType.REPLY);
    }

    private byte[] control(byte[] frames) {
        for (ClientFrame frame : FrameCodec.decodeClient(frames)) {
            switch (frame) {
                case ClientFrame.Register register -> daemon.register(register.query(), register.plan());
                case ClientFrame.Submit submit -> running = daemon.submit(submit.submission());
                case ClientFrame.End end ->
                    daemon.finishQuery(end.query(), end.reason()).join();
                default -> throw new IllegalArgumentException("not sent here: " + frame);
            }
        }
        return new byte[0];
    }

    private byte[] open(byte[] frames) {
        if (!(ReaderFrameCodec.decode(frames).getFirst() instanceof ReaderFrame.Open open)) {
            throw new IllegalArgumentException("not sent here");
        }
        PageRequest request = open.request();
        pages = daemon.open(request.query(), request.output(), request.partition());
        return new byte[0];
    }

    /** Returns a page, or no bytes at the end. */
    private byte[] next() {
        PageStream open = pages;
        if (open == null) {
            throw new IllegalStateException("nothing was opened");
        }
        Optional<Batch> rows = open.next().join();
        if (rows.isEmpty()) {
            open.close();
            pages = null;
        }
        return rows.map(BatchCodec::encode).orElse(new byte[0]);
    }

    private byte[] await() {
        CompletableFuture<TaskStats> task = running;
        if (task == null) {
            throw new IllegalStateException("nothing was submitted");
        }
        return FrameCodec.encodeDaemon(List.of(new DaemonFrame.Finished(0, task.join())));
    }
}
