package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import java.util.Optional;

/** Messages in both directions over one call, whichever side has made the call. */
public interface MessageStream {
    /** What comes of it. One call at a time, and none after {@link #ended}. */
    interface Listener {
        void arrived(byte[] message);

        /** It takes messages again. */
        void ready();

        /** @param why empty when the other side has finished it */
        void ended(Optional<SkepException> why);
    }

    /** Begins; called once, first. */
    void start(Listener listener);

    /** Whether it takes a message without keeping it waiting. */
    boolean isReady();

    /** One call at a time; nothing happens when it has been finished or has ended. */
    void send(byte[] message);

    /** Nothing more will be sent; what was arrives. */
    void finish();

    /** Ends it at once, for both sides. */
    void end(SkepException why);
}
