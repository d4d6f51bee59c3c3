package io.skep.metastore.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.metastore.Catalog;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.privilege.RoleGrant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Caches what checks of statements read: the roles of principals, and the grants on tables and columns.
 *
 * <p>A value is found only while nothing has changed since before it was loaded. Each change through this object starts
 * a new generation, and grants on a table belong to a version of the table. So a table does not get the grants of a
 * dropped one of the same name. Changes by other servers become visible after the time for which values are kept.
 * Databases, whose drops change no version, are not cached. Thread-safe.
 */
public final class CachedPrivileges implements PrivilegeStore {
    /** How long values are kept where other servers may change them. */
    public static final Duration OF_OTHERS = Duration.ofSeconds(1);

    private static final int MAX_PRINCIPALS = 10_000;
    private static final int MAX_OBJECTS = 100_000;

    private record MemberKey(long generation, Principal member) {}

    private record ObjectKey(long generation, PrivilegeObject object, long version) {}

    private final PrivilegeStore store;
    private final Catalog catalog;
    private final AtomicLong generation = new AtomicLong();
    private final Cache<MemberKey, List<RoleGrant>> roles;
    private final Cache<ObjectKey, List<PrivilegeGrant>> grants;

    /** @param kept how long values are kept; empty where nobody else changes them */
    public CachedPrivileges(PrivilegeStore store, Catalog catalog, Optional<Duration> kept) {
        this.store = store;
        this.catalog = catalog;
        this.roles = cache(MAX_PRINCIPALS, kept);
        this.grants = cache(MAX_OBJECTS, kept);
    }

    private static <K, V> Cache<K, V> cache(int size, Optional<Duration> kept) {
        Caffeine<Object, Object> builder =
                Caffeine.newBuilder().executor(Runnable::run).maximumSize(size);
        kept.ifPresent(builder::expireAfterWrite);
        return builder.build();
    }

    @Override
    public List<String> roles() {
        return store.roles();
    }

    @Override
    public List<RoleGrant> rolesOf(Principal member) {
        return roles.get(new MemberKey(generation.get(), member), key -> store.rolesOf(member));
    }

    @Override
    public List<RoleGrant> members(String role) {
        return store.members(role);
    }

    @Override
    public List<PrivilegeGrant> grantsOn(PrivilegeObject object) {
        return object.table()
                .map(table -> {
                    long version = catalog.version(object.database(), table);
                    ObjectKey key = new ObjectKey(generation.get(), object, version);
                    return grants.get(key, missing -> store.grantsOn(object));
                })
                .orElseGet(() -> store.grantsOn(object));
    }

    @Override
    public List<PrivilegeGrant> grantsTo(Principal principal) {
        return store.grantsTo(principal);
    }

    private void change(Runnable change) {
        try {
            change.run();
        } finally {
            generation.incrementAndGet();
        }
    }

    @Override
    public void addRole(String name, String owner) {
        change(() -> store.addRole(name, owner));
    }

    @Override
    public void removeRole(String name) {
        change(() -> store.removeRole(name));
    }

    @Override
    public void grantRole(String role, Principal member, Principal grantor, boolean adminOption) {
        change(() -> store.grantRole(role, member, grantor, adminOption));
    }

    @Override
    public void revokeRole(String role, Principal member, boolean onlyAdminOption) {
        change(() -> store.revokeRole(role, member, onlyAdminOption));
    }

    @Override
    public void grant(List<PrivilegeGrant> added) {
        change(() -> store.grant(added));
    }

    @Override
    public void revoke(List<PrivilegeGrant> revoked, boolean onlyGrantOption) {
        change(() -> store.revoke(revoked, onlyGrantOption));
    }
}
