package io.skep.llap.client.registry;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.llap.client.DaemonIdentity;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The registry of daemons that run in the same process as all their clients. */
public final class InProcessRegistry implements DaemonRegistry {
    private final EntryList list = new EntryList();

    /** Entries by slot. */
    @GuardedBy("this")
    private final SortedMap<Integer, DaemonEntry> slots = new TreeMap<>();

    @Override
    public List<DaemonEntry> entries() {
        return list.entries();
    }

    @Override
    public Listening listen(Consumer<List<DaemonEntry>> listener) {
        return list.listen(listener);
    }

    @Override
    public synchronized DaemonRegistration register(DaemonOffer offer) {
        int slot = slots.values().stream()
                .filter(entry -> entry.hasSameAddress(offer))
                .map(entry -> entry.identity().slot())
                .findFirst()
                .orElseGet(() -> lowestFree(slots.keySet()));
        put(offer.inSlot(slot));
        return new Registration(offer, slot);
    }

    /** Returns the lowest number from 0 that is not taken. */
    public static int lowestFree(Iterable<Integer> taken) {
        BitSet used = new BitSet();
        taken.forEach(used::set);
        return used.nextClearBit(0);
    }

    private synchronized void put(DaemonEntry entry) {
        slots.put(entry.identity().slot(), entry);
        list.replace(List.copyOf(slots.values()));
    }

    private synchronized void remove(DaemonIdentity identity) {
        DaemonEntry entry = slots.get(identity.slot());
        if (entry != null && entry.identity().incarnation().equals(identity.incarnation())) {
            slots.remove(identity.slot());
            list.replace(List.copyOf(slots.values()));
        }
    }

    @Override
    public void close() {}

    private final class Registration implements DaemonRegistration {
        private final int slot;
        private volatile DaemonOffer offer;

        Registration(DaemonOffer offer, int slot) {
            this.offer = offer;
            this.slot = slot;
        }

        @Override
        public DaemonIdentity identity() {
            return offer.inSlot(slot).identity();
        }

        @Override
        public void updateCapacity(DaemonCapacity capacity) {
            synchronized (InProcessRegistry.this) {
                offer = offer.withCapacity(capacity);
                put(offer.inSlot(slot));
            }
        }

        @Override
        public void close() {
            remove(identity());
        }
    }
}
