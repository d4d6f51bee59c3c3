package io.skep.service.server;

import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeStore;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may see the web pages, which show the statements of all users. While statements need privileges, these are the
 * direct members of the role admin, and nobody until the metastore has started. Thread-safe.
 */
final class PageViewers implements Predicate<String> {
    private final boolean restricted;
    private volatile @Nullable PrivilegeStore privileges;

    /** @param restricted whether statements need privileges */
    PageViewers(boolean restricted) {
        this.restricted = restricted;
    }

    void decideBy(PrivilegeStore store) {
        privileges = store;
    }

    @Override
    public boolean test(String user) {
        PrivilegeStore store = privileges;
        return !restricted
                || (store != null
                        && store.rolesOf(Principal.user(user)).stream()
                                .anyMatch(grant -> grant.role().equals(PrivilegeStore.ADMIN)));
    }
}
