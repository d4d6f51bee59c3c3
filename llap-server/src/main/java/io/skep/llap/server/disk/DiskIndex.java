package io.skep.llap.server.disk;

/**
 * Finds the places of chunks by the fingerprints of their keys. It uses open addressing with 16 bytes per entry, a
 * third to two thirds of them in use. Keys with the same fingerprint replace each other, so a reader of a chunk
 * compares its whole key. Guarded by its volume's lock.
 */
final class DiskIndex {
    private static final int LEAST = 64;

    private long[] fingerprints = new long[LEAST];
    /** 0 for an unused entry. */
    private long[] places = new long[LEAST];

    private int size;

    /** Returns the place of a chunk, or 0. */
    long get(long fingerprint) {
        return places[find(fingerprint)];
    }

    /** @param place not 0 */
    void put(long fingerprint, long place) {
        int at = find(fingerprint);
        if (places[at] == 0) {
            fingerprints[at] = fingerprint;
            size++;
        }
        places[at] = place;
        if (size > places.length / 3 * 2) {
            grow();
        }
    }

    /** Removes a chunk if it is at the given place. */
    boolean remove(long fingerprint, long place) {
        int hole = find(fingerprint);
        if (place == 0 || places[hole] != place) {
            return false;
        }
        size--;
        int mask = places.length - 1;
        for (int at = hole + 1 & mask; places[at] != 0; at = at + 1 & mask) {
            int home = home(fingerprints[at]);
            if ((at - home & mask) >= (at - hole & mask)) {
                fingerprints[hole] = fingerprints[at];
                places[hole] = places[at];
                hole = at;
            }
        }
        places[hole] = 0;
        return true;
    }

    int size() {
        return size;
    }

    private int find(long fingerprint) {
        int mask = places.length - 1;
        int at = home(fingerprint);
        while (places[at] != 0 && fingerprints[at] != fingerprint) {
            at = at + 1 & mask;
        }
        return at;
    }

    private int home(long fingerprint) {
        return (int) (fingerprint ^ fingerprint >>> 32) & places.length - 1;
    }

    private void grow() {
        long[] oldFingerprints = fingerprints;
        long[] oldPlaces = places;
        fingerprints = new long[2 * oldPlaces.length];
        places = new long[2 * oldPlaces.length];
        for (int i = 0; i < oldPlaces.length; i++) {
            if (oldPlaces[i] != 0) {
                int at = find(oldFingerprints[i]);
                fingerprints[at] = oldFingerprints[i];
                places[at] = oldPlaces[i];
            }
        }
    }
}
