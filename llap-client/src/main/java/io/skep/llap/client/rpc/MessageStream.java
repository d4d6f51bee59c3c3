package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import java.util.Optional;

/** Messages in both directions over one call, whichever side has started the call. */
public interface MessageStream {
    /** Receives the events of the stream, one call at a time and none after {@link #ended}. */
    interface Listener {
        void arrived(byte[] message);

        /** The stream accepts messages again. */
        void ready();

        /** @param why empty when the other side has finished the stream */
        void ended(Optional<SkepException> why);
    }

    /** Starts the stream. Called once, before all other methods. */
    void start(Listener listener);

    /** Whether a message would be sent without being buffered. */
    boolean isReady();

    /** Sends a message. One call at a time. Does nothing after the stream has been finished or has ended. */
    void send(byte[] message);

    /** Closes this side of the stream after all sent messages have been delivered. */
    void finish();

    /** Aborts the stream at once, for both sides. */
    void end(SkepException why);
}
