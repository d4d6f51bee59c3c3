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

    /** Whether users need the permissions of HDFS, and own the files that they write. */
    public static final Property<Boolean> DO_AS = new Property<>(
            "hive.server2.enable.doAs",
            PropertyType.flag(),
            "false",
            "Whether statements need the permissions of HDFS that their user has, and give the user the files that "
                    + "they write. The server's user has to be a superuser of HDFS, and to be allowed to act for its "
                    + "users (hadoop.proxyuser).");

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
