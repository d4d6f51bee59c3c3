package io.skep.authentication;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.kerberos.ServicePrincipal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Settings for logins of clients by Kerberos.
 *
 * @param binary the name for the binary transport
 * @param http the further name for HTTP
 * @param protection of the messages of the binary transport
 * @param nameRules Hadoop's rules for the user names of principals
 * @param ruleMechanism how the rules are applied: hadoop or mit
 */
public record KerberosConfig(
        Service binary, Service http, SaslProtection protection, String nameRules, String ruleMechanism) {
    /**
     * A name of this process, for which clients have tickets.
     *
     * @param principalSetting where it comes from
     * @param principal the name with {@code _HOST} as in the setting
     * @param keytabSetting where the file comes from
     * @param keytab the file with its keys
     */
    public record Service(Property<?> principalSetting, String principal, Property<?> keytabSetting, Path keytab) {}

    public static final Property<Optional<String>> PRINCIPAL = new Property<>(
            "hive.server2.authentication.kerberos.principal",
            ServicePrincipal.SETTING,
            "",
            "Name of the server in Kerberos, such as hive/_HOST@EXAMPLE.ORG; _HOST is the canonical name of this "
                    + "machine.");
    public static final Property<Optional<Path>> KEYTAB = new Property<>(
            "hive.server2.authentication.kerberos.keytab",
            PropertyType.optionalFile(),
            "",
            "File with the keys of that name. It is read again for each login, so keys can be renewed.");
    static final Property<Optional<String>> HTTP_PRINCIPAL = new Property<>(
            "hive.server2.authentication.spnego.principal",
            ServicePrincipal.SETTING,
            "",
            "Further name of the server for the HTTP transport, such as HTTP/_HOST@EXAMPLE.ORG; empty: only that of "
                    + "the binary transport.");
    static final Property<Optional<Path>> HTTP_KEYTAB = new Property<>(
            "hive.server2.authentication.spnego.keytab",
            PropertyType.optionalFile(),
            "",
            "File with the keys of that name; empty: that of the binary transport.");
    static final Property<Optional<String>> DAEMON_PRINCIPAL = new Property<>(
            "hive.llap.webui.spnego.principal",
            ServicePrincipal.SETTING,
            "",
            "Name of the web pages of a daemon in a process of its own, such as HTTP/_HOST@EXAMPLE.ORG; empty: that of "
                    + "the server's settings for HTTP.");
    static final Property<Optional<Path>> DAEMON_KEYTAB = new Property<>(
            "hive.llap.webui.spnego.keytab",
            PropertyType.optionalFile(),
            "",
            "File with the keys of that name; empty: that of the server's settings for HTTP.");
    public static final Property<SaslProtection> PROTECTION = new Property<>(
            "hive.server2.thrift.sasl.qop",
            new PropertyType<>("one of auth, auth-int, auth-conf", KerberosConfig::protection),
            SaslProtection.AUTH.text(),
            "Protection of the binary transport by Kerberos: auth for the login alone, auth-int for signed messages, "
                    + "auth-conf for encrypted ones.");
    static final Property<String> NAME_RULES = new Property<>(
            "hadoop.security.auth_to_local",
            PropertyType.text(),
            "DEFAULT",
            "Hadoop's rules for the user name of a principal. A principal that no rule matches is refused. DEFAULT "
                    + "takes the first part of principals of the default realm.");
    static final Property<String> RULE_MECHANISM = new Property<>(
            "hadoop.security.auth_to_local.mechanism",
            PropertyType.oneOf("hadoop", "mit"),
            "hadoop",
            "How these rules are applied: hadoop refuses user names with / and @, mit allows them.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            PRINCIPAL,
            KEYTAB,
            HTTP_PRINCIPAL,
            HTTP_KEYTAB,
            DAEMON_PRINCIPAL,
            DAEMON_KEYTAB,
            PROTECTION,
            NAME_RULES,
            RULE_MECHANISM);

    /**
     * Returns the settings when clients log in by Kerberos.
     *
     * @param used whether they do
     */
    static Optional<KerberosConfig> of(SettingsReader reader, boolean used) {
        SaslProtection protection = reader.read(PROTECTION);
        if (!used) {
            if (protection != SaslProtection.AUTH) {
                reader.refuse(
                        PROTECTION.name(),
                        "is '" + protection.text() + "', which only " + AuthenticationConfig.MODES.name()
                                + "=KERBEROS keeps; use TLS instead, or set it to 'auth'");
            }
            return Optional.empty();
        }
        return service(reader, PRINCIPAL, reader.read(PRINCIPAL), KEYTAB, reader.read(KEYTAB))
                .map(own -> new KerberosConfig(
                        own,
                        new Service(
                                HTTP_PRINCIPAL,
                                reader.read(HTTP_PRINCIPAL).orElse(own.principal()),
                                HTTP_KEYTAB,
                                reader.read(HTTP_KEYTAB).orElse(own.keytab())),
                        protection,
                        nameRules(reader),
                        reader.read(RULE_MECHANISM)));
    }

    /**
     * Returns the settings when users log in to a daemon's web pages by Kerberos. They have tickets for one name.
     *
     * @param used whether they do
     */
    static Optional<KerberosConfig> ofDaemon(SettingsReader reader, boolean used) {
        if (!used) {
            return Optional.empty();
        }
        Optional<String> principal = reader.read(DAEMON_PRINCIPAL)
                .or(() -> reader.read(HTTP_PRINCIPAL))
                .or(() -> reader.read(PRINCIPAL));
        Optional<Path> keytab =
                reader.read(DAEMON_KEYTAB).or(() -> reader.read(HTTP_KEYTAB)).or(() -> reader.read(KEYTAB));
        return service(reader, DAEMON_PRINCIPAL, principal, DAEMON_KEYTAB, keytab)
                .map(own -> new KerberosConfig(
                        own, own, SaslProtection.AUTH, nameRules(reader), reader.read(RULE_MECHANISM)));
    }

    private static Optional<Service> service(
            SettingsReader reader,
            Property<?> principalSetting,
            Optional<String> principal,
            Property<?> keytabSetting,
            Optional<Path> keytab) {
        refuseMissing(reader, principalSetting, principal);
        refuseMissing(reader, keytabSetting, keytab);
        return principal.flatMap(name -> keytab.map(file -> new Service(principalSetting, name, keytabSetting, file)));
    }

    private static String nameRules(SettingsReader reader) {
        String rules = reader.read(NAME_RULES);
        return rules.isEmpty() ? NAME_RULES.defaultValue() : rules;
    }

    private static void refuseMissing(SettingsReader reader, Property<?> property, Optional<?> value) {
        if (value.isEmpty()) {
            reader.refuse(property.name(), "is missing: " + AuthenticationConfig.MODES.name() + "=KERBEROS needs it");
        }
    }

    private static SaslProtection protection(String text) {
        return Arrays.stream(SaslProtection.values())
                .filter(value -> value.text().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    /** Whether a rule takes the principals of the default realm. */
    public boolean usesDefaultRealm() {
        return nameRules.contains("DEFAULT");
    }
}
