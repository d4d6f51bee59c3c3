package io.skep.ql.commit;

import io.skep.metastore.HeapBytes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Listings of folders that are known to be what commits left, so that a query that finds the same again need not ask the database.
 * Of each folder that is its last one, and from which to which position of the notification log it has been seen so: listings of
 * several folders are of one moment when there is a position that all have in common. Safe for many threads.
 */
final class VerifiedListings {
    /** They take this part of the heap. When there are more, all are found out again. */
    private static final long HEAP_SHARE = 64;

    private static final long BYTES_EACH = 200;

    private record Known(ListingFingerprint.Digest digest, long from, long to) {}

    private final ListingFingerprint.Digest empty = ListingFingerprint.empty();

    private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();
    private final AtomicLong weight = new AtomicLong();
    private final long maximumWeight;

    VerifiedListings() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param maximumWeight estimated bytes */
    VerifiedListings(long maximumWeight) {
        this.maximumWeight = maximumWeight;
    }

    boolean areOfOneMoment(ListingFingerprint listed) {
        long from = Long.MIN_VALUE;
        long to = Long.MAX_VALUE;
        for (Map.Entry<String, ListingFingerprint.Digest> place :
                listed.places().entrySet()) {
            Known last = known.get(place.getKey());
            if (last == null || !last.digest().equals(place.getValue())) {
                return false;
            }
            from = Math.max(from, last.from());
            to = Math.min(to, last.to());
        }
        return from <= to && !listed.isTorn();
    }

    /** Of a listing during which nobody committed. */
    void record(ListingFingerprint listed, long from, long to) {
        listed.places().forEach((location, digest) -> {
            long bytes = BYTES_EACH + HeapBytes.of(location);
            if (weight.get() + bytes > maximumWeight) {
                known.clear();
                weight.set(0);
            }
            known.compute(location, (place, before) -> {
                Known now = new Known(digest, from, to);
                if (before == null) {
                    weight.addAndGet(bytes);
                    return now;
                }
                return both(before, now);
            });
        });
    }

    int size() {
        return known.size();
    }

    /** Emptied folders look alike, whatever was in them in between. */
    private Known both(Known before, Known now) {
        if (now.to() < before.to()) {
            return before;
        }
        return before.digest().equals(now.digest()) && !now.digest().equals(empty)
                ? new Known(now.digest(), Math.min(before.from(), now.from()), now.to())
                : now;
    }
}
