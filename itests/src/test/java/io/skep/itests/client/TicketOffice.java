package io.skep.itests.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A KDC in this process, for clients in other ones. This JVM does not use it: its {@code krb5.conf} stays. */
public final class TicketOffice implements AutoCloseable {
    private static final String REALM = "EXAMPLE.ORG";
    private static final String PASSWORD = "password";

    /** The principal of the server. */
    public static final String SERVER = "hive/localhost@" + REALM;

    private final Path folder;
    private final SimpleKdcServer kdc;

    public TicketOffice(Path folder) throws KrbException {
        this.folder = folder;
        kdc = new SimpleKdcServer();
        kdc.setWorkDir(folder.toFile());
        kdc.setKdcRealm(REALM);
        kdc.setKdcHost("localhost");
        kdc.setAllowUdp(false);
        kdc.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
        kdc.init();
        kdc.getKrbClient().setKdcTcpPort(kdc.getKdcSetting().getKdcTcpPort());
        kdc.start();
    }

    /** Returns the settings of a server that accepts the users of the realm. */
    public Map<String, String> server() throws KrbException, IOException {
        Path keytab = keytab("server", SERVER);
        return Map.of(
                "hive.server2.authentication",
                "KERBEROS",
                "hive.server2.authentication.kerberos.principal",
                SERVER,
                "hive.server2.authentication.kerberos.keytab",
                keytab.toString(),
                // Without the default realm, which this JVM does not have.
                "hadoop.security.auth_to_local",
                "RULE:[1:$1@$0](.*@EXAMPLE\\.ORG)s/@.*//");
    }

    /** Returns a private file with the keys of principals, which are created. */
    public Path keytab(String name, String... principals) throws KrbException, IOException {
        Path keytab = folder.resolve(name + ".keytab");
        for (String principal : principals) {
            kdc.createPrincipal(principal, PASSWORD);
            kdc.exportPrincipal(principal, keytab.toFile());
        }
        Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-------"));
        return keytab;
    }

    /** Returns the file with which the JVM of another process finds this KDC. */
    public Path conf() {
        return folder.resolve("krb5.conf");
    }

    /** Returns a file like {@link #conf} with which a process gets tickets of a short life. */
    public Path conf(Duration life) throws IOException {
        String text = Files.readString(conf())
                .replaceFirst("\\[libdefaults\\]", "[libdefaults]\n    ticket_lifetime = " + life.toSeconds() + "s");
        return Files.writeString(folder.resolve("krb5-" + life.toSeconds() + ".conf"), text);
    }

    /** Returns the environment of a process of a user who has a ticket, as after {@code kinit}. */
    public Map<String, String> ticket(String user) throws KrbException {
        Path tickets = folder.resolve(user + ".tickets");
        kdc.createPrincipal(user, PASSWORD);
        kdc.getKrbClient().storeTicket(kdc.getKrbClient().requestTgt(user, PASSWORD), tickets.toFile());
        return environment(tickets);
    }

    /** Returns the environment of a process of a user who has no ticket. */
    Map<String, String> noTicket() {
        return environment(folder.resolve("none"));
    }

    private Map<String, String> environment(Path tickets) {
        return Map.of("KRB5CCNAME", tickets.toString(), "JDK_JAVA_OPTIONS", "-Djava.security.krb5.conf=" + conf());
    }

    @Override
    public void close() {
        try {
            kdc.stop();
        } catch (KrbException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
