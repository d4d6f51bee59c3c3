package io.skep.ql.commit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listings of folders that are known to be what commits left, so that a query that finds the same again need not ask the database.
 * Of each folder that is its last one, and from which to which position of the notification log it has been seen so: listings of
 * several folders are of one moment when there is a position that all have in common. Safe for many threads.
 */
final class VerifiedListings {
    /** Some 200 bytes each. When there are more, they are found out again. */
    private static final int MOST = 1_000_000;

    private record Known(ListingFingerprint.Digest digest, long from, long to) {}

    private final ListingFingerprint.Digest empty = ListingFingerprint.empty();

    private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();

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
        if (known.size() > MOST) {
            known.clear();
        }
        listed.places().forEach((location, digest) -> known.merge(location, new Known(digest, from, to), this::both));
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
