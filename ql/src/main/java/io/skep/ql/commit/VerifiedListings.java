package io.skep.ql.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.metastore.HeapBytes;
import java.util.Map;

/**
 * Folder listings that are known to be exactly what commits left, so that a query that finds the same again need not
 * ask the database. It keeps the last listing of each folder, and the range of positions of the notification log at
 * which the listing was valid. Listings of several folders are consistent with each other when their ranges have a
 * common position. Thread-safe.
 */
final class VerifiedListings {
    /** The heap size divided by this number is the limit for the listings. Those that are used least are evicted. */
    private static final long HEAP_SHARE = 64;

    private static final long BYTES_EACH = 200;

    private record Known(ListingFingerprint.Digest digest, long from, long to) {}

    private final ListingFingerprint.Digest empty = ListingFingerprint.empty();

    private final Cache<String, Known> known;

    VerifiedListings() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param maximumWeight estimated bytes */
    VerifiedListings(long maximumWeight) {
        this.known = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(maximumWeight)
                .weigher((String location, Known listing) ->
                        Math.clamp(BYTES_EACH + HeapBytes.of(location), 0, Integer.MAX_VALUE))
                .build();
    }

    boolean areConsistent(ListingFingerprint listed) {
        long from = Long.MIN_VALUE;
        long to = Long.MAX_VALUE;
        for (Map.Entry<String, ListingFingerprint.Digest> place :
                listed.places().entrySet()) {
            Known last = known.getIfPresent(place.getKey());
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
        listed.places()
                .forEach((location, digest) -> known.asMap().merge(location, new Known(digest, from, to), this::merge));
    }

    long size() {
        return known.estimatedSize();
    }

    /** Emptied folders have the same digest, whatever they contained in between. */
    private Known merge(Known before, Known now) {
        if (now.to() < before.to()) {
            return before;
        }
        return before.digest().equals(now.digest()) && !now.digest().equals(empty)
                ? new Known(now.digest(), Math.min(before.from(), now.from()), now.to())
                : now;
    }
}
