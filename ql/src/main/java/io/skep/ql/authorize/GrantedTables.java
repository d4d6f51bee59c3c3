package io.skep.ql.authorize;

import io.skep.metastore.privilege.PrivilegeObject;
import java.util.Set;

/** The tables that roles and grants show to a user. Found once; answers from memory. */
public final class GrantedTables {
    private final AccessCheck check;
    private final Set<PrivilegeObject> granted;

    GrantedTables(AccessCheck check) {
        this.check = check;
        this.granted = check.tablesWithGrants();
    }

    /** @param owner a user, or a role if ownerIsRole is set; empty if the table has none */
    public boolean shows(String database, String table, String owner, boolean ownerIsRole) {
        return check.isVisible(PrivilegeObject.table(database, table), owner, ownerIsRole, granted);
    }
}
