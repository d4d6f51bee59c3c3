package io.skep.common.kerberos;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings for the login of a process to Hadoop and ZooKeeper. */
public final class ServiceLogin {
    private static final String KERBEROS = "kerberos";

    /** Whether Hadoop has Kerberos. */
    public static final Property<String> AUTHENTICATION = new Property<>(
            "hadoop.security.authentication",
            PropertyType.oneOf("simple", KERBEROS),
            "simple",
            "Whether HDFS authenticates its users by Kerberos. Servers, daemons and the metastore service then log in"
                    + " from their keytabs.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(AUTHENTICATION);

    private ServiceLogin() {}

    /**
     * Returns the principal with which a process logs in; none without Kerberos in Hadoop. The reader reports a missing
     * setting.
     *
     * @param principal the setting of the principal
     * @param keytab the setting of the file with its keys
     */
    public static Optional<ServicePrincipal> of(
            SettingsReader reader, Property<Optional<String>> principal, Property<Optional<Path>> keytab) {
        if (!reader.read(AUTHENTICATION).equals(KERBEROS)) {
            return Optional.empty();
        }
        Optional<String> name = reader.read(principal);
        Optional<Path> file = reader.read(keytab);
        refuseMissing(reader, principal, name);
        refuseMissing(reader, keytab, file);
        if (name.isEmpty() || file.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ServicePrincipal(
                ServicePrincipal.onThisHost(principal.name(), name.get()), keytab.name(), file.get()));
    }

    private static void refuseMissing(SettingsReader reader, Property<?> property, Optional<?> value) {
        if (value.isEmpty()) {
            reader.refuse(property.name(), "is missing: " + AUTHENTICATION.name() + "=" + KERBEROS + " needs it");
        }
    }
}
