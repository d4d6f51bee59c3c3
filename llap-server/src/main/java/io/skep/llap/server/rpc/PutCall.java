package io.skep.llap.server.rpc;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.PlanFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An incoming file: its hash, then its pieces. Pieces are handled one at a time on virtual threads, because they wait
 * for the disk. Those threads own all fields, one after the other.
 */
final class PutCall extends ServerCall.Listener<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(PutCall.class);

    /** Heartbeat intervals without a byte after which the file counts as failed. */
    private static final int MAX_SILENT_BEATS = 24;

    /** The minimum average of bytes per heartbeat interval, after the first intervals. */
    private static final long MIN_BYTES_A_BEAT = 64 << 10;

    private final PlanFileStore store;
    private final Consumer<PutCall> onEnd;
    private final ServerCall<byte[], byte[]> call;
    private final Executor inOrder = MoreExecutors.newSequentialExecutor(
            work -> Thread.ofVirtual().name("put").start(work));
    private final Hasher hasher = Hashing.sha256().newHasher();
    private String hash = "";
    private @Nullable Path partial;
    private @Nullable OutputStream out;
    private boolean over;
    private volatile long bytes;
    private volatile int silentBeats;
    private volatile long beats;

    /** @param onEnd called once or more often when no more of the file will arrive */
    PutCall(PlanFileStore store, ServerCall<byte[], byte[]> call, Consumer<PutCall> onEnd) {
        this.store = store;
        this.onEnd = onEnd;
        this.call = call;
    }

    void start() {
        call.sendHeaders(new Metadata());
        call.request(1);
    }

    /** Called on the timer's thread. */
    void beat() {
        int silent = silentBeats + 1;
        silentBeats = silent;
        long passed = beats + 1;
        beats = passed;
        if (silent > MAX_SILENT_BEATS || passed > MAX_SILENT_BEATS + bytes / MIN_BYTES_A_BEAT) {
            inOrder.execute(() -> {
                if (!over) {
                    fail(new SkepException(
                            StandardErrorCode.MISSING_FILE, "a file of the plan has not come whole in time"));
                }
            });
        }
    }

    @Override
    public void onMessage(byte[] message) {
        if (message.length > 0) {
            silentBeats = 0;
        }
        inOrder.execute(() -> {
            if (over) {
                return;
            }
            try {
                take(message);
                call.request(1);
            } catch (IOException | RuntimeException e) {
                fail(cannotKeep(e));
            }
        });
    }

    private static SkepException cannotKeep(Exception e) {
        return e instanceof SkepException known
                ? known
                : new SkepException(
                        StandardErrorCode.FILE_SYSTEM_ERROR, "the daemon cannot keep a file of the plan: " + e, e);
    }

    private void take(byte[] message) throws IOException {
        OutputStream open = out;
        if (open == null) {
            // Rejected unless it is a hash, because it becomes a file name.
            String named = new PlanFile("sent", new String(message, StandardCharsets.US_ASCII)).hash();
            if (!store.expects(named)) {
                throw new SkepException(
                        StandardErrorCode.MISSING_FILE, "no query of the daemon waits for a file " + named);
            }
            hash = named;
            Path made = store.partial(hash);
            partial = made;
            out = Files.newOutputStream(made);
            return;
        }
        if (!store.expects(hash)) {
            throw new SkepException(
                    StandardErrorCode.MISSING_FILE, "no query waits for the file " + hash + " any more");
        }
        store.reserve(message.length);
        long more = bytes + message.length;
        bytes = more;
        open.write(message);
        hasher.putBytes(message);
    }

    @Override
    public void onHalfClose() {
        inOrder.execute(() -> {
            if (over) {
                return;
            }
            try {
                complete();
            } catch (IOException | RuntimeException e) {
                fail(cannotKeep(e));
            }
        });
    }

    private void complete() throws IOException {
        Path made = partial;
        if (made == null || out == null) {
            throw new IOException("nothing has come");
        }
        out.close();
        if (!hasher.hash().toString().equals(hash)) {
            fail(new SkepException(
                    StandardErrorCode.MISSING_FILE,
                    "a file of the plan could not be read where the plan was made, or has changed since"));
            return;
        }
        end();
        store.arrived(hash, made, bytes);
        call.sendMessage(new byte[0]);
        call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
        inOrder.execute(() -> {
            if (!over) {
                give(new SkepException(StandardErrorCode.MISSING_FILE, "the sender of a file of the plan is gone"));
            }
        });
    }

    private void end() {
        over = true;
        onEnd.accept(this);
    }

    private void fail(SkepException reason) {
        give(reason);
        call.close(GrpcStatuses.FAILED, GrpcStatuses.trailers(reason));
    }

    private void give(SkepException reason) {
        end();
        store.fail(hash, reason);
        store.release(bytes);
        try {
            if (out != null) {
                out.close();
            }
            if (partial != null) {
                Files.deleteIfExists(partial);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("{} is left of a file that did not come whole", partial, e);
        }
    }
}
