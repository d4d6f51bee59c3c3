package io.skep.llap.client.zookeeper;

import io.skep.common.kerberos.ServicePrincipal;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * JAAS's configuration of the process, with one more entry. ZooKeeper's client takes its login from there and from
 * nowhere else. All other entries are those of the configuration before.
 */
final class ZooKeeperJaas extends Configuration {
    private final @Nullable Configuration others;
    private final String name;
    private final AppConfigurationEntry entry;

    private ZooKeeperJaas(@Nullable Configuration others, String name, AppConfigurationEntry entry) {
        this.others = others;
        this.name = name;
        this.entry = entry;
    }

    /**
     * Adds the entry of a principal unless it is there.
     *
     * @return the entry's name
     */
    static String add(ServicePrincipal principal) {
        String name = "skep-zookeeper:" + principal.name() + ":" + principal.keytab();
        synchronized (ZooKeeperJaas.class) {
            Configuration before = before();
            if (before == null || before.getAppConfigurationEntry(name) == null) {
                Configuration.setConfiguration(new ZooKeeperJaas(before, name, principal.loginModule()));
            }
        }
        return name;
    }

    private static @Nullable Configuration before() {
        try {
            return Configuration.getConfiguration();
        } catch (SecurityException e) {
            System.getLogger(ZooKeeperJaas.class.getName())
                    .log(System.Logger.Level.DEBUG, "this JVM has no other configuration of JAAS", e);
            return null;
        }
    }

    @Override
    public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String wanted) {
        if (wanted.equals(name)) {
            return new AppConfigurationEntry[] {entry};
        }
        return others == null ? null : others.getAppConfigurationEntry(wanted);
    }

    @Override
    public void refresh() {
        if (others != null) {
            others.refresh();
        }
    }
}
