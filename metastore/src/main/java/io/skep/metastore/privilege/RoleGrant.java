package io.skep.metastore.privilege;

/**
 * A member of a role.
 *
 * @param adminOption whether the member may grant the role to others
 * @param grantor who made it a member; its name is empty for the membership in the role public, which nobody grants
 * @param grantTime seconds since 1970; 0 for the membership in the role public
 */
public record RoleGrant(String role, Principal member, boolean adminOption, Principal grantor, long grantTime) {}
