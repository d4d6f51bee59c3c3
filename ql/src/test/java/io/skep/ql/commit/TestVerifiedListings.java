package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests what is cached of listings, and how much. */
final class TestVerifiedListings {
    private static ListingFingerprint listed(String location) {
        ListingFingerprint seen = new ListingFingerprint();
        seen.listed(location, List.of());
        return seen;
    }

    @Test
    void whatIsRememberedIsBoundedInBytes() {
        VerifiedListings listings = new VerifiedListings(1_000_000);
        String folder = "file:/" + "x".repeat(1000) + "/";
        for (int i = 0; i < 10_000; i++) {
            listings.record(listed(folder + i), 1, 1);
            assertThat(listings.size()).isLessThan(1000);
            assertThat(listings.areConsistent(listed(folder + i))).isTrue();
            assertThat(listings.areConsistent(listed(folder + 0))).isTrue();
        }
        long known = IntStream.range(0, 10_000)
                .filter(i -> listings.areConsistent(listed(folder + i)))
                .count();
        assertThat(known).isEqualTo(listings.size()).isGreaterThan(300);
    }

    /** A listing that was disturbed is repeated from the beginning. */
    @Test
    void aClearedFingerprintIsAsNew() {
        ListingFingerprint seen = listed("file:/a");
        seen.clear();
        seen.listed("file:/b", List.of());
        assertThat(seen.places()).isEqualTo(listed("file:/b").places());
    }
}
