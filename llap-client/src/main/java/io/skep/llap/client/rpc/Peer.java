package io.skep.llap.client.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connections of this daemon with one life of another one. Guarded by whoever has it. */
final class Peer {
    private final List<RemoteDaemon> made = new ArrayList<>();

    /** The one of those that is used for new streams. */
    private @Nullable RemoteDaemon own;

    /** What is read over a connection that the other one has made, if that is used for new streams. There are both for a moment only. */
    private @Nullable PageReceiver theirs;

    /** Where new streams go; empty when there is no connection, and none is being made. */
    Optional<PageReceiver> link() {
        if (theirs != null) {
            return Optional.of(theirs);
        }
        return own == null || own.isLost() ? Optional.empty() : Optional.of(own.pages());
    }

    void making(RemoteDaemon connection) {
        made.add(connection);
        own = connection;
    }

    /** The other one has connected. What waits for a connection of this daemon's own goes over that one, which is there. */
    Optional<PageReceiver> takeWaiting() {
        Optional<PageReceiver> waiting = Optional.ofNullable(own).flatMap(RemoteDaemon::giveWay);
        if (waiting.isPresent()) {
            own = null;
        }
        return waiting;
    }

    void accepted(PageReceiver link) {
        theirs = link;
    }

    /**
     * When there are two connections, decides for one.
     *
     * @param ownStays the same on both sides: whether it is the one that this daemon has made
     * @return what is read over the other one, which is to be retired
     */
    Optional<PageReceiver> settle(boolean ownStays) {
        RemoteDaemon one = own;
        PageReceiver other = theirs;
        if (one == null || other == null || one.isLost()) {
            return Optional.empty();
        }
        if (ownStays) {
            theirs = null;
            return Optional.of(other);
        }
        own = null;
        return Optional.of(one.pages());
    }

    void lost(RemoteDaemon connection) {
        made.remove(connection);
        if (own == connection) {
            own = null;
        }
    }

    void lost(PageReceiver link) {
        if (theirs == link) {
            theirs = null;
        }
    }

    /** Whether nothing is left to know. */
    boolean isGone() {
        return made.isEmpty() && theirs == null;
    }

    /** All that this daemon has made and that are not lost. */
    List<RemoteDaemon> made() {
        return List.copyOf(made);
    }
}
