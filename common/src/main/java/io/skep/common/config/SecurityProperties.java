package io.skep.common.config;

import java.util.List;
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

    /** The users who are admins without anybody's grant. */
    public static final Property<List<String>> ADMINS = new Property<>(
            "hive.users.in.admin.role",
            new PropertyType<>("names with commas between them", SecretSettings::names),
            "",
            "Users that become members of the role admin when the server starts, separated by commas. They see the "
                    + "pages of daemons in processes of their own where hive.security.authorization.enabled is true.");

    private SecurityProperties() {}
}
