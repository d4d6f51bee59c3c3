package io.skep.ql.authorize;

import io.skep.metastore.privilege.PrivilegeGrant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The privileges that GRANT knows. The metastore may have others of other authorizers, which allow nothing. */
public enum GrantablePrivilege {
    SELECT(RequiredPrivilege.SELECT, RequiredPrivilege.SELECT_WITH_GRANT),
    INSERT(RequiredPrivilege.INSERT, RequiredPrivilege.INSERT_WITH_GRANT),
    UPDATE(RequiredPrivilege.UPDATE, RequiredPrivilege.UPDATE_WITH_GRANT),
    DELETE(RequiredPrivilege.DELETE, RequiredPrivilege.DELETE_WITH_GRANT);

    private final RequiredPrivilege plain;
    private final RequiredPrivilege withGrant;

    GrantablePrivilege(RequiredPrivilege plain, RequiredPrivilege withGrant) {
        this.plain = plain;
        this.withGrant = withGrant;
    }

    /** Returns what a user needs in order to grant the privilege. */
    public RequiredPrivilege withGrant() {
        return withGrant;
    }

    public static Optional<GrantablePrivilege> named(String name) {
        return Arrays.stream(values())
                .filter(privilege -> privilege.name().equals(name))
                .findFirst();
    }

    /** Returns what a grant allows. */
    static Set<RequiredPrivilege> required(PrivilegeGrant grant) {
        return named(grant.privilege())
                .map(known -> grant.grantOption() ? EnumSet.of(known.plain, known.withGrant) : EnumSet.of(known.plain))
                .map(Collections::<RequiredPrivilege>unmodifiableSet)
                .orElse(Set.of());
    }
}
