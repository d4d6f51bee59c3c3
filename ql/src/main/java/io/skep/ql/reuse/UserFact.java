package io.skep.ql.reuse;

/** Something about a session's user that a plan may depend on. Its value is a text. */
public sealed interface UserFact {
    /** The name of the user. */
    record Name() implements UserFact {}

    /** Whether the user belongs to a role. */
    record Member(String role) implements UserFact {}
}
