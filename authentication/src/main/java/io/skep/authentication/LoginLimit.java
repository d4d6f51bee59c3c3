package io.skep.authentication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many logins are verified at a time. Further ones wait, for a limited time. The networks that they come
 * from take turns (fair queuing), so that very many wrong logins from one of them do not keep the others waiting. Each
 * waiting login is a connection, of which a server has a limited number. Thread-safe.
 */
final class LoginLimit implements PasswordAuthenticator {
    /** A client that has one address of IPv6 usually has all of the same 64 bits. */
    private static final int GROUPS_OF_NETWORK = 4;

    private final PasswordAuthenticator verifier;
    private final int maxLogins;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int free;

    /** The waiting logins of each network that has some, in the order of the networks' turns. */
    @GuardedBy("lock")
    private final Map<String, Deque<Waiting>> queues = new LinkedHashMap<>();

    private static final class Waiting {
        final Condition turn;
        boolean admitted;

        Waiting(Condition turn) {
            this.turn = turn;
        }
    }

    /** @param patience how long a login waits before it is refused */
    LoginLimit(PasswordAuthenticator verifier, int maxLogins, Duration patience) {
        this.verifier = verifier;
        this.maxLogins = maxLogins;
        this.free = maxLogins;
        this.patience = patience;
    }

    @Override
    public String verify(String user, String password, String address) throws AuthenticationException {
        enter(network(address));
        try {
            return verifier.verify(user, password, address);
        } finally {
            leave();
        }
    }

    /** Returns an address of IPv4, or the first half of one of IPv6, of which the JDK writes all groups. */
    static String network(String address) {
        String[] groups = address.split(":", GROUPS_OF_NETWORK + 1);
        return groups.length <= GROUPS_OF_NETWORK
                ? address
                : address.substring(0, address.length() - groups[GROUPS_OF_NETWORK].length());
    }

    /** The number of logins that are verified or wait. */
    int count() {
        lock.lock();
        try {
            return maxLogins
                    - free
                    + queues.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }

    private void enter(String network) throws AuthenticationException {
        lock.lock();
        try {
            if (free > 0) {
                free--;
                return;
            }
            Waiting login = new Waiting(lock.newCondition());
            queues.computeIfAbsent(network, _ -> new ArrayDeque<>()).add(login);
            try {
                for (long left = patience.toNanos(); !login.admitted && left > 0; ) {
                    left = login.turn.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                if (login.admitted) {
                    admitNext();
                }
                throw new AuthenticationException("interrupted", e);
            } finally {
                withdraw(network, login);
            }
            if (!login.admitted) {
                throw new AuthenticationException("too many logins at a time");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a login that waits no longer, if it was not admitted. */
    @GuardedBy("lock")
    private void withdraw(String network, Waiting login) {
        Deque<Waiting> queue = queues.get(network);
        if (queue != null && queue.remove(login) && queue.isEmpty()) {
            queues.remove(network);
        }
    }

    private void leave() {
        lock.lock();
        try {
            admitNext();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the place of a login that has ended to the first one of the next network. */
    @GuardedBy("lock")
    private void admitNext() {
        Iterator<Map.Entry<String, Deque<Waiting>>> turns = queues.entrySet().iterator();
        if (!turns.hasNext()) {
            free++;
            return;
        }
        Map.Entry<String, Deque<Waiting>> next = turns.next();
        turns.remove();
        Waiting login = next.getValue().removeFirst();
        if (!next.getValue().isEmpty()) {
            queues.put(next.getKey(), next.getValue());
        }
        login.admitted = true;
        login.turn.signal();
    }
}
