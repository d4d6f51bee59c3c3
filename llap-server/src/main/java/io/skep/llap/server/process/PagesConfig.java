package io.skep.llap.server.process;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.tls.TlsConfig;
import io.skep.common.config.BindHost;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.webui.WebConfig;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings for the web pages of a daemon in a process of its own.
 *
 * @param authentication how users log in, as on servers
 * @param tls their encryption
 * @param hosts further names under which browsers reach them
 * @param adminsOnly whether only admins see them, as on servers that authorize statements
 * @param admins the users that the settings name; a daemon knows no roles of the metastore
 */
record PagesConfig(
        AuthenticationConfig authentication,
        TlsConfig tls,
        List<String> hosts,
        boolean adminsOnly,
        List<String> admins) {
    static final Property<Boolean> INSECURE = new Property<>(
            "skep.llap.insecure-pages",
            PropertyType.flag(),
            "false",
            "Whether a daemon in a process of its own may serve its web pages beyond the loopback although users do "
                    + "not log in. Everyone who reaches the port sees its settings, and which queries run.");
    static final Property<Boolean> AUTO = new Property<>(
            "hive.llap.auto.auth",
            PropertyType.flag(),
            "false",
            "Whether the web pages of a daemon in a process of its own must have a login. It is that of "
                    + "hive.server2.authentication; true refuses the start where that has none.");

    /** The properties that only daemons have. */
    static final List<Property<?>> OWN = List.of(INSECURE, AUTO);

    /** All properties. */
    static final List<Property<?>> PROPERTIES = Stream.of(
                    OWN,
                    AuthenticationConfig.PROPERTIES,
                    TlsConfig.PROPERTIES,
                    List.of(WebConfig.HOSTS, SecurityProperties.AUTHORIZATION, SecurityProperties.ADMINS))
            .<Property<?>>flatMap(List::stream)
            .toList();

    PagesConfig {
        hosts = List.copyOf(hosts);
        admins = List.copyOf(admins);
    }

    /** @param bindHost what the daemon listens on */
    static PagesConfig of(SettingsReader reader, String bindHost) {
        PagesConfig config = new PagesConfig(
                AuthenticationConfig.ofDaemon(reader),
                TlsConfig.ofDaemonPages(reader),
                reader.read(WebConfig.HOSTS),
                reader.read(SecurityProperties.AUTHORIZATION),
                reader.read(SecurityProperties.ADMINS));
        boolean open = !config.authentication().verifies();
        if (open && !BindHost.isLoopback(bindHost) && !reader.read(INSECURE)) {
            reader.refuse(
                    DaemonConfig.BIND_HOST.name(),
                    "is '" + bindHost + "', beyond the loopback: users of the web pages are not authenticated; set "
                            + AuthenticationConfig.MODES.name() + ", listen on 127.0.0.1, or set "
                            + INSECURE.name() + "=true to accept that");
        }
        if (open && reader.read(AUTO)) {
            reader.refuse(
                    AUTO.name(),
                    "is true, and the web pages have no login: it is that of " + AuthenticationConfig.MODES.name()
                            + ", which is " + config.authentication().text());
        }
        return config;
    }

    /** Whether a user who has logged in may see the pages. */
    boolean isViewer(String user) {
        return !adminsOnly || admins.contains(user);
    }
}
