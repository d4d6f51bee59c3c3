package io.skep.service.authentication;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Settings for the authentication of clients.
 *
 * @param modes at least one
 * @param userFile the file of users; present with {@link AuthenticationMode#FILE}
 * @param kerberos present with {@link AuthenticationMode#KERBEROS}
 */
public record AuthenticationConfig(
        Set<AuthenticationMode> modes, Optional<Path> userFile, Optional<KerberosConfig> kerberos) {
    public static final Property<Set<AuthenticationMode>> MODES = new Property<>(
            "hive.server2.authentication",
            new PropertyType<>(
                    "one of "
                            + Arrays.stream(AuthenticationMode.values())
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", ")),
                    AuthenticationConfig::modes),
            "NONE",
            "NONE: clients log in by SASL PLAIN or HTTP's Basic authentication, and their user names are not verified; "
                    + "NOSASL: they do not log in; FILE: their passwords are those of skep.authentication.user-file; "
                    + "KERBEROS: they have tickets for hive.server2.authentication.kerberos.principal.");
    static final Property<Optional<Path>> USER_FILE = new Property<>(
            "skep.authentication.user-file",
            new PropertyType<>("a file", text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text))),
            "",
            "File with the users of FILE and their hashed passwords; bin/skep user changes it.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = Stream.of(List.of(MODES, USER_FILE), KerberosConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    public static AuthenticationConfig of(SettingsReader reader) {
        Set<AuthenticationMode> modes = reader.read(MODES);
        AuthenticationConfig config = new AuthenticationConfig(
                modes, reader.read(USER_FILE), KerberosConfig.of(reader, modes.contains(AuthenticationMode.KERBEROS)));
        if (config.uses(AuthenticationMode.FILE) && config.userFile.isEmpty()) {
            reader.refuse(USER_FILE.name(), "is missing: " + MODES.name() + "=FILE needs it");
        }
        return config;
    }

    private static Set<AuthenticationMode> modes(String text) {
        return EnumSet.of(AuthenticationMode.valueOf(text.toUpperCase(Locale.ROOT)));
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
