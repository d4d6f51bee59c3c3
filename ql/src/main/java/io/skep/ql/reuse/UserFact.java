package io.skep.ql.reuse;

/** Something about a session's user that a plan may depend on. Its value is a text. */
public sealed interface UserFact {
    /** The name of the user. */
    record Name() implements UserFact {}

    /** The row filter and the masks that the authorizer of the site has for the user. */
    record Policies(String database, String table) implements UserFact {}

    /** Whether the user belongs to a role. */
    record Member(String role) implements UserFact {}
}
