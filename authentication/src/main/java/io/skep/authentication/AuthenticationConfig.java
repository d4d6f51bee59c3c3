package io.skep.authentication;

import io.skep.authentication.jwt.JwtConfig;
import io.skep.authentication.ldap.LdapConfig;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Settings for how users log in.
 *
 * @param modes one, or JWT and one that verifies passwords
 * @param userFile the file of users; present with {@link AuthenticationMode#FILE}
 * @param ldap has a URL with {@link AuthenticationMode#LDAP}
 * @param kerberos present with {@link AuthenticationMode#KERBEROS}
 * @param jwt has a URL with {@link AuthenticationMode#JWT}
 */
public record AuthenticationConfig(
        Set<AuthenticationMode> modes,
        Optional<Path> userFile,
        LdapConfig ldap,
        Optional<KerberosConfig> kerberos,
        JwtConfig jwt) {
    public static final Property<Set<AuthenticationMode>> MODES = new Property<>(
            "hive.server2.authentication",
            new PropertyType<>(
                    "one of "
                            + Arrays.stream(AuthenticationMode.values())
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", "))
                            + ", or JWT and FILE or LDAP, separated by a comma",
                    AuthenticationConfig::modes),
            "NONE",
            "NONE: clients log in by SASL PLAIN or HTTP's Basic authentication, and their user names are not verified; "
                    + "NOSASL: they do not log in; FILE: their passwords are those of skep.authentication.user-file; "
                    + "LDAP: those of hive.server2.authentication.ldap.url; "
                    + "KERBEROS: they have tickets for hive.server2.authentication.kerberos.principal; "
                    + "JWT: they have signed tokens, over HTTP.");
    public static final Property<Optional<Path>> USER_FILE = new Property<>(
            "skep.authentication.user-file",
            PropertyType.optionalFile(),
            "",
            "File with the users of FILE and their hashed passwords; bin/skep user changes it.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = Stream.of(
                    List.of(MODES, USER_FILE), LdapConfig.PROPERTIES, KerberosConfig.PROPERTIES, JwtConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    /** @param binary whether clients may use the binary transport */
    public static AuthenticationConfig of(SettingsReader reader, boolean binary) {
        AuthenticationConfig config = of(reader, KerberosConfig::of);
        if (config.uses(AuthenticationMode.JWT) && binary) {
            reader.refuse(
                    MODES.name(), "has JWT: the binary transport has no tokens; set hive.server2.transport.mode=http");
        }
        return config;
    }

    /** Reads the settings for the web pages of a daemon in a process of its own. */
    public static AuthenticationConfig ofDaemon(SettingsReader reader) {
        return of(reader, KerberosConfig::ofDaemon);
    }

    private static AuthenticationConfig of(
            SettingsReader reader, BiFunction<SettingsReader, Boolean, Optional<KerberosConfig>> kerberos) {
        Set<AuthenticationMode> modes = reader.read(MODES);
        AuthenticationConfig config = new AuthenticationConfig(
                modes,
                reader.read(USER_FILE),
                LdapConfig.of(reader),
                kerberos.apply(reader, modes.contains(AuthenticationMode.KERBEROS)),
                JwtConfig.of(reader));
        config.require(reader, AuthenticationMode.FILE, USER_FILE, config.userFile.isPresent());
        config.require(
                reader,
                AuthenticationMode.LDAP,
                LdapConfig.URLS,
                !config.ldap.urls().isEmpty());
        config.require(
                reader,
                AuthenticationMode.JWT,
                JwtConfig.KEY_URLS,
                !config.jwt.keyUrls().isEmpty());
        return config;
    }

    private void require(SettingsReader reader, AuthenticationMode mode, Property<?> setting, boolean present) {
        if (uses(mode) && !present) {
            reader.refuse(setting.name(), "is missing: " + MODES.name() + "=" + mode + " needs it");
        }
    }

    /** As in Hive, tokens go together with passwords, and other modes do not. */
    private static Set<AuthenticationMode> modes(String text) {
        EnumSet<AuthenticationMode> modes = EnumSet.noneOf(AuthenticationMode.class);
        for (String name : text.split(",", -1)) {
            modes.add(AuthenticationMode.valueOf(name.strip().toUpperCase(Locale.ROOT)));
        }
        boolean withPasswords = modes.equals(EnumSet.of(AuthenticationMode.JWT, AuthenticationMode.FILE))
                || modes.equals(EnumSet.of(AuthenticationMode.JWT, AuthenticationMode.LDAP));
        if (modes.size() > 1 && !withPasswords) {
            throw new IllegalArgumentException(text);
        }
        return modes;
    }

    public boolean uses(AuthenticationMode mode) {
        return modes.contains(mode);
    }

    /** Whether clients log in. */
    public boolean sasl() {
        return !uses(AuthenticationMode.NOSASL);
    }

    /** Whether the server knows that its clients are who they say. */
    public boolean verifies() {
        return !uses(AuthenticationMode.NONE) && !uses(AuthenticationMode.NOSASL);
    }

    /** Returns the value of the setting. */
    public String text() {
        return modes.stream().map(Enum::name).collect(Collectors.joining(","));
    }
}
