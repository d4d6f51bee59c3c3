package io.skep.common.config;

import java.util.Optional;

/** Settings of security that servers and daemons read. */
public final class SecurityProperties {
    /** Whether statements are checked. */
    public static final Property<Boolean> AUTHORIZATION = new Property<>(
            "hive.security.authorization.enabled",
            PropertyType.flag(),
            "false",
            "Whether statements run only if roles and grants of the SQL standard allow them.");

    /** Whether there are audit logs, for which servers record what statements need. */
    public static final Property<Optional<Boolean>> AUDIT = new Property<>(
            "skep.audit.enabled",
            PropertyType.derivable(PropertyType.flag()),
            PropertyType.AUTO,
            "Whether servers and daemons write audit logs; auto: if hive.security.authorization.enabled is true.");

    private SecurityProperties() {}
}
