package io.skep.ql.commit;

import io.skep.metastore.HeapBytes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Folder listings that are known to be exactly what commits left, so that a query that finds the same again need not
 * ask the database. It keeps the last listing of each folder, and the range of positions of the notification log at
 * which the listing was valid. Listings of several folders are consistent with each other when their ranges have a
 * common position. Thread-safe.
 */
final class VerifiedListings {
    /**
     * The heap size divided by this number is the limit for the listings. When they exceed it, all are discarded and
     * verified again.
     */
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

    /** Records a listing during which no commit happened. */
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

    /** Emptied folders have the same digest, whatever they contained in between. */
    private Known both(Known before, Known now) {
        if (now.to() < before.to()) {
            return before;
        }
        return before.digest().equals(now.digest()) && !now.digest().equals(empty)
                ? new Known(now.digest(), Math.min(before.from(), now.from()), now.to())
                : now;
    }
}
