package io.skep.llap.client.rpc;

import io.grpc.Channel;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonEndpoint;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The two page channels of a connection that this process has made. This process reads over one. If it is a daemon, the
 * daemon at the other end reads over the other. Thread-safe.
 */
final class PageChannels {
    private enum State {
        WAITS,
        STARTED,
        GIVEN_AWAY,
        OVER
    }

    private final DaemonEndpoint endpoint;
    private final Channel channel;
    private final PageReceiver link;
    private final Optional<PageServer> self;
    private final Consumer<SkepException> onEnd;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITS);
    private final AtomicInteger openCalls = new AtomicInteger();
    private volatile @Nullable OutboundStream back;
    private volatile @Nullable SkepException over;

    /** @param onEnd called when the connection is lost, or when neither side reads over it any more */
    PageChannels(
            DaemonEndpoint endpoint,
            Channel channel,
            PageReceiver link,
            Optional<PageServer> self,
            Consumer<SkepException> onEnd) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.link = link;
        this.self = self;
        this.onEnd = onEnd;
    }

    /** Returns the receiver of the pages that this process reads. */
    PageReceiver link() {
        return link;
    }

    /**
     * Starts reading once the other side has accepted the proof. Whether this call started it: it does not when reading
     * has started before, or when the connection was given away or lost.
     */
    boolean start() {
        if (!state.compareAndSet(State.WAITS, State.STARTED)) {
            return false;
        }
        openCalls.set(self.isPresent() ? 2 : 1);
        link.start(new OutboundStream(endpoint, channel, DaemonRpc.PAGES), this::ended);
        self.ifPresent(this::startBack);
        return true;
    }

    private void startBack(PageServer daemon) {
        OutboundStream call = new OutboundStream(endpoint, channel, DaemonRpc.PAGES_BACK);
        daemon.serve(call, this::ended);
        back = call;
        SkepException reason = over;
        if (reason != null) {
            call.end(reason);
        }
    }

    private void ended(Optional<SkepException> why) {
        if (why.isPresent()) {
            onEnd.accept(why.get());
        } else if (openCalls.decrementAndGet() == 0) {
            onEnd.accept(CallFailures.lost(endpoint, "nothing is read over this connection any more"));
        }
    }

    /** Hands the waiting requests over to another connection. Empty when they do not wait any more. */
    Optional<PageReceiver> handOver() {
        return state.compareAndSet(State.WAITS, State.GIVEN_AWAY) ? Optional.of(link) : Optional.empty();
    }

    /** Ends both channels after the connection is lost. */
    void end(SkepException reason) {
        over = reason;
        if (state.getAndUpdate(now -> now == State.GIVEN_AWAY ? now : State.OVER) != State.GIVEN_AWAY) {
            link.end(reason);
        }
        OutboundStream call = back;
        if (call != null) {
            call.end(reason);
        }
    }
}
