package io.skep.llap.client.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connections between this daemon and one incarnation of another one. Guarded by its owner. */
final class Peer {
    private final List<RemoteDaemon> ownConnections = new ArrayList<>();

    /** The connection, among those that this daemon has made, that new streams use. */
    private @Nullable RemoteDaemon own;

    /**
     * The receiver for a connection that the other daemon has made, if new streams use it. Both fields are set only for
     * a short time.
     */
    private @Nullable PageReceiver theirs;

    /** Returns the receiver for new streams. Empty when there is no connection and none is being made. */
    Optional<PageReceiver> link() {
        if (theirs != null) {
            return Optional.of(theirs);
        }
        return own == null || own.isLost() ? Optional.empty() : Optional.of(own.pages());
    }

    void addOwn(RemoteDaemon connection) {
        ownConnections.add(connection);
        own = connection;
    }

    /**
     * Takes the requests that wait for a connection of this daemon's own. The other daemon has connected, so they go
     * over its connection, which exists already.
     */
    Optional<PageReceiver> takeWaiting() {
        Optional<PageReceiver> waiting = Optional.ofNullable(own).flatMap(RemoteDaemon::closeInFavorOfOther);
        if (waiting.isPresent()) {
            own = null;
        }
        return waiting;
    }

    void accepted(PageReceiver link) {
        theirs = link;
    }

    /**
     * Chooses one of two connections, if there are two.
     *
     * @param ownStays whether the one that this daemon has made stays; both sides must decide the same
     * @return the receiver of the other one, which must be retired
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
        ownConnections.remove(connection);
        if (own == connection) {
            own = null;
        }
    }

    void lost(PageReceiver link) {
        if (theirs == link) {
            theirs = null;
        }
    }

    /** Whether no connection is left. */
    boolean isGone() {
        return ownConnections.isEmpty() && theirs == null;
    }

    /** Returns all connections that this daemon has made and that are not lost. */
    List<RemoteDaemon> ownConnections() {
        return List.copyOf(ownConnections);
    }
}
