package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.commit.LeaseStore.LeaseSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Consistent reads of tables that other servers commit to. A listing is valid when it shows the state at one point
 * between commits. When the folders of a query match their last verified listing, no database access is needed.
 * Otherwise the marks in the database are read before and after another listing, until no commit was under way and none
 * came in between.
 */
final class ConsistentReads {
    /** If commits disturb this number of listings, the reader takes a turn, as if it were to commit. */
    private static final int TRIES = 5;

    private final TableLeases turns;
    private final LeaseStore marks;
    private final Catalog catalog;
    private final VerifiedListings committed = new VerifiedListings();

    ConsistentReads(TableLeases turns, LeaseStore marks, Catalog catalog) {
        this.turns = turns;
        this.marks = marks;
        this.catalog = catalog;
    }

    /** @param listing lists the tables again, reporting to the fingerprint */
    <T> T listConsistently(Collection<Table> tables, Function<ListingFingerprint, T> listing) {
        List<Long> versions = versions(tables);
        ListingFingerprint seen = new ListingFingerprint();
        T found = listing.apply(seen);
        // If the catalog was read before it caught up, it may lack a partition, even though the listing was valid
        // later.
        return committed.areConsistent(seen) && versions.equals(versions(tables)) ? found : verified(tables, listing);
    }

    private List<Long> versions(Collection<Table> tables) {
        return tables.stream()
                .map(table -> catalog.version(table.database(), table.name()))
                .toList();
    }

    private <T> T verified(Collection<Table> tables, Function<ListingFingerprint, T> listing) {
        Set<String> keys = keys(tables);
        for (int i = 0; i < TRIES; i++) {
            LeaseSnapshot before = turns.awaitNone(keys);
            catalog.refreshTo(before.position());
            ListingFingerprint seen = new ListingFingerprint();
            T found = listing.apply(seen);
            LeaseSnapshot after = turns.look();
            if (after.of(keys).isEmpty() && !changed(tables, before, after)) {
                committed.record(seen, before.position(), after.position());
                return found;
            }
        }
        return turns.inTurn(keys, "read-" + UUID.randomUUID(), (turn, position) -> {
            catalog.refreshTo(position);
            ListingFingerprint seen = new ListingFingerprint();
            T found = listing.apply(seen);
            committed.record(seen, position, position);
            return found;
        });
    }

    private boolean changed(Collection<Table> tables, LeaseSnapshot before, LeaseSnapshot after) {
        return before.position() != after.position()
                && tables.stream().anyMatch(table -> marks.changed(table.database(), table.name(), before.position()));
    }

    /**
     * Returns what the catalog says about tables, if that is consistent with one point in time.
     *
     * @param asking reports each table before it reads it; may run twice
     * @param locks locks of this server's commits
     * @return empty when consistency could not be verified, or commits came in between
     */
    <T> Optional<T> readConsistently(Function<Consumer<Table>, T> asking, ListingLocks locks) {
        VersionedAnswer<T> known = ask(asking, locks);
        Optional<LeaseSnapshot> look = caughtUp(known.tables());
        if (look.isEmpty() || known.isCommittedTo(look.get())) {
            return Optional.empty();
        }
        if (known.versions().equals(versions(known.tables()))) {
            return known.answer();
        }
        // The catalog has changed, or may have changed, since it was read. It is read once more, and no commit may come
        // in between.
        VersionedAnswer<T> fresh = ask(asking, locks);
        Optional<LeaseSnapshot> after = look();
        boolean still = after.isPresent()
                && after.get().position() == look.get().position()
                && !fresh.isCommittedTo(after.get());
        return still ? fresh.answer() : Optional.empty();
    }

    /** An answer about tables, and the versions that these tables had when they were read. */
    private record VersionedAnswer<T>(Optional<T> answer, List<Table> tables, List<Long> versions) {
        boolean isCommittedTo(LeaseSnapshot look) {
            return !look.of(keys(tables)).isEmpty();
        }
    }

    private <T> VersionedAnswer<T> ask(Function<Consumer<Table>, T> asking, ListingLocks locks) {
        List<Table> tables = new ArrayList<>();
        List<Long> versions = new ArrayList<>();
        Optional<T> answer = locks.listingUnlessChanging(asked -> asking.apply(table -> {
            asked.accept(table);
            versions.add(catalog.version(table.database(), table.name()));
            tables.add(table);
        }));
        return new VersionedAnswer<>(answer, tables, versions);
    }

    private Optional<LeaseSnapshot> caughtUp(List<Table> tables) {
        return unlessAway(() -> {
            LeaseSnapshot look = marks.snapshot();
            catalog.refreshTo(look.position());
            catalog.invalidate(tables);
            return look;
        });
    }

    private Optional<LeaseSnapshot> look() {
        return unlessAway(marks::snapshot);
    }

    private static <T> Optional<T> unlessAway(Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.METASTORE_ERROR) {
                throw e;
            }
            return Optional.empty();
        }
    }

    static Set<String> keys(Collection<Table> tables) {
        return tables.stream().map(ConsistentReads::key).collect(Collectors.toSet());
    }

    static String key(Table table) {
        return LeaseStore.keyOf(table.database(), table.name());
    }
}
