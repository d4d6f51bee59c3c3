package io.skep.ql.session;

import java.util.Locale;

/** Which of its user's roles a session has chosen with SET ROLE. */
public sealed interface RoleChoice {
    /** All roles except admin. The choice of a new session. */
    record All() implements RoleChoice {}

    record None() implements RoleChoice {}

    /** @param name in lower case */
    record One(String name) implements RoleChoice {
        public One {
            name = name.toLowerCase(Locale.ROOT);
        }
    }
}
