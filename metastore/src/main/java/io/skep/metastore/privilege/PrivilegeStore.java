package io.skep.metastore.privilege;

import io.skep.common.error.SkepException;
import java.util.List;

/**
 * The roles and grants of a metastore. All methods may block. They fail with a {@link SkepException}: METASTORE_ERROR,
 * or the code that a method names. A change is visible to the next read of this server.
 */
public interface PrivilegeStore {
    /** The role that may do everything while it is a session's current role. It cannot be dropped. */
    String ADMIN = "admin";

    /** The role that all users have. It cannot be dropped, and has no list of members. */
    String PUBLIC = "public";

    /** Returns the names of all roles, sorted. */
    List<String> roles();

    /** @throws SkepException ROLE_EXISTS */
    void addRole(String name, String owner);

    /** Removes a role with its members and grants. Does nothing when it does not exist. */
    void removeRole(String name);

    /** Returns the roles that a principal is a direct member of, which include public for a user, sorted by name. */
    List<RoleGrant> rolesOf(Principal member);

    /** Returns the direct members of a role, except those of public. Empty when it does not exist. */
    List<RoleGrant> members(String role);

    /** @throws SkepException ROLE_NOT_FOUND, or INVALID_GRANT for a member, or a member that the role belongs to */
    void grantRole(String role, Principal member, Principal grantor, boolean adminOption);

    /**
     * Ends a membership, or only its admin option. Does nothing when there is no membership.
     *
     * @throws SkepException ROLE_NOT_FOUND, or INVALID_GRANT when there is no admin option
     */
    void revokeRole(String role, Principal member, boolean onlyAdminOption);

    /** Returns all grants on an object, but not those on its columns. */
    List<PrivilegeGrant> grantsOn(PrivilegeObject object);

    /** Returns all grants to a principal, on objects of all kinds. */
    List<PrivilegeGrant> grantsTo(Principal principal);

    /**
     * Adds all grants or none.
     *
     * @throws SkepException INVALID_GRANT for a grant that exists, ROLE_NOT_FOUND
     */
    void grant(List<PrivilegeGrant> grants);

    /**
     * Revokes all grants, or only their grant options, or nothing. Where several grantors have granted the same
     * privilege, one of these grants is revoked.
     *
     * @throws SkepException INVALID_GRANT for a grant that does not exist
     */
    void revoke(List<PrivilegeGrant> grants, boolean onlyGrantOption);
}
