package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a file that a daemon has requested. It runs on a thread of its own, because it waits for the disk and for the
 * daemon.
 */
final class FileUpload extends ClientCall.Listener<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(FileUpload.class);
    private static final int PIECE_BYTES = 256 << 10;

    private final ClientCall<byte[], byte[]> call;
    private final Semaphore changes = new Semaphore(0);
    private volatile boolean over;

    private FileUpload(ClientCall<byte[], byte[]> call) {
        this.call = call;
    }

    /** @param path the file; if it is empty, nothing is sent after the hash, so that the daemon fails the file */
    static void start(Channel channel, String hash, Optional<Path> path) {
        ClientCall<byte[], byte[]> call = channel.newCall(DaemonRpc.PUT, CallOptions.DEFAULT);
        FileUpload upload = new FileUpload(call);
        call.start(upload, new Metadata());
        call.request(1);
        Thread.ofVirtual().name("upload").start(() -> upload.send(hash, path));
    }

    private void send(String hash, Optional<Path> path) {
        call.sendMessage(hash.getBytes(StandardCharsets.US_ASCII));
        if (path.isEmpty()) {
            // Not a cancellation: it could overtake the hash, and the daemon would wait for the file without end.
            call.halfClose();
            return;
        }
        try (InputStream in = Files.newInputStream(path.get())) {
            for (byte[] piece = in.readNBytes(PIECE_BYTES); piece.length > 0; piece = in.readNBytes(PIECE_BYTES)) {
                awaitReady();
                if (over) {
                    return;
                }
                call.sendMessage(piece);
            }
            call.halfClose();
        } catch (IOException e) {
            LOG.warn("{} cannot be sent to a daemon", path.get(), e);
            call.halfClose();
        }
    }

    private void awaitReady() {
        while (!call.isReady() && !over) {
            changes.acquireUninterruptibly();
        }
    }

    @Override
    public void onReady() {
        changes.release();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        over = true;
        changes.release();
    }
}
