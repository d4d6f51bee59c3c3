package io.skep.metastore.hive;

import static io.skep.metastore.hive.StorageConversion.orEmpty;

import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.privilege.RoleGrant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.HiveObjectPrivilege;
import org.apache.hadoop.hive.metastore.api.HiveObjectRef;
import org.apache.hadoop.hive.metastore.api.HiveObjectType;
import org.apache.hadoop.hive.metastore.api.PrincipalPrivilegeSet;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.metastore.api.PrivilegeBag;
import org.apache.hadoop.hive.metastore.api.PrivilegeGrantInfo;
import org.apache.hadoop.hive.metastore.api.RolePrincipalGrant;
import org.jspecify.annotations.NullUnmarked;

/** Converts roles and grants between the catalog's records and the library's objects. */
@NullUnmarked
final class PrivilegeConversion {
    /** The name under which Hive's SQL standard authorization writes its grants. */
    private static final String AUTHORIZER = "SQL";

    private static final List<String> OF_OWNER = List.of("INSERT", "SELECT", "UPDATE", "DELETE");

    private PrivilegeConversion() {}

    static PrincipalType kind(PrincipalKind kind) {
        return switch (kind) {
            case USER -> PrincipalType.USER;
            case ROLE -> PrincipalType.ROLE;
        };
    }

    private static Principal principal(PrincipalType kind, String name) {
        return kind == PrincipalType.ROLE ? Principal.role(orEmpty(name)) : Principal.user(orEmpty(name));
    }

    static RoleGrant fromThrift(RolePrincipalGrant grant) {
        return new RoleGrant(
                grant.getRoleName(),
                principal(grant.getPrincipalType(), grant.getPrincipalName()),
                grant.isGrantOption(),
                principal(grant.getGrantorPrincipalType(), grant.getGrantorName()),
                grant.getGrantTime());
    }

    static PrivilegeGrant fromThrift(HiveObjectPrivilege privilege) {
        HiveObjectRef object = privilege.getHiveObject();
        PrivilegeGrantInfo info = privilege.getGrantInfo();
        return new PrivilegeGrant(
                new PrivilegeObject(
                        object.getDbName(),
                        Optional.ofNullable(object.getObjectName()),
                        Optional.ofNullable(object.getColumnName())),
                principal(privilege.getPrincipalType(), privilege.getPrincipalName()),
                info.getPrivilege().toUpperCase(Locale.ROOT),
                info.isGrantOption(),
                principal(info.getGrantorType(), info.getGrantor()),
                info.getCreateTime());
    }

    static PrivilegeBag toThrift(List<PrivilegeGrant> grants) {
        PrivilegeBag bag = new PrivilegeBag();
        grants.forEach(grant -> bag.addToPrivileges(new HiveObjectPrivilege(
                reference(grant.object()),
                grant.principal().name(),
                kind(grant.principal().kind()),
                info(grant),
                AUTHORIZER)));
        return bag;
    }

    static PrivilegeGrantInfo info(PrivilegeGrant grant) {
        return new PrivilegeGrantInfo(
                grant.privilege(),
                Math.toIntExact(grant.grantTime()),
                grant.grantor().name(),
                kind(grant.grantor().kind()),
                grant.grantOption());
    }

    private static HiveObjectRef reference(PrivilegeObject object) {
        HiveObjectType kind = object.column().isPresent()
                ? HiveObjectType.COLUMN
                : object.table().isPresent() ? HiveObjectType.TABLE : HiveObjectType.DATABASE;
        HiveObjectRef reference = new HiveObjectRef(
                kind,
                object.database(),
                object.table().orElse(null),
                null,
                object.column().orElse(null));
        reference.setCatName(TableConversion.CATALOG);
        return reference;
    }

    /** Returns what the owner of a new table or view is granted. */
    static PrincipalPrivilegeSet ofOwner(String owner) {
        PrincipalPrivilegeSet set = new PrincipalPrivilegeSet();
        if (!orEmpty(owner).isEmpty()) {
            set.putToUserPrivileges(
                    owner,
                    OF_OWNER.stream()
                            .map(privilege -> new PrivilegeGrantInfo(
                                    privilege,
                                    Math.toIntExact(System.currentTimeMillis() / 1000),
                                    owner,
                                    PrincipalType.USER,
                                    true))
                            .toList());
        }
        return set;
    }

    /** Returns the grant of everything that the role admin has in each metastore of Hive. */
    static HiveObjectPrivilege allOfAdmin() {
        return new HiveObjectPrivilege(
                new HiveObjectRef(HiveObjectType.GLOBAL, null, null, null, null),
                PrivilegeStore.ADMIN,
                PrincipalType.ROLE,
                new PrivilegeGrantInfo("All", 0, PrivilegeStore.ADMIN, PrincipalType.ROLE, true),
                AUTHORIZER);
    }
}
