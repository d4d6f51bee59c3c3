package io.skep.metastore.privilege;

/** What a privilege or a role can be granted to. */
public enum PrincipalKind {
    USER,
    ROLE
}
