package io.skep.metastore.privilege;

/**
 * A privilege that a principal has on an object.
 *
 * @param privilege in upper case, such as SELECT
 * @param grantOption whether the principal may grant it to others
 * @param grantTime seconds since 1970; the store sets it when it adds a grant
 */
public record PrivilegeGrant(
        PrivilegeObject object,
        Principal principal,
        String privilege,
        boolean grantOption,
        Principal grantor,
        long grantTime) {}
