package io.skep.authentication.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A KDC in this process, with its files in a folder. The JVM does not use it: its {@code krb5.conf} stays. */
public final class LocalKdc implements AutoCloseable {
    public static final String REALM = "EXAMPLE.ORG";

    /** The principal of the server. */
    public static final String SERVER = "hive/localhost@" + REALM;

    private final Path folder;
    private final SimpleKdcServer kdc;
    private final Set<String> created = new HashSet<>();

    private LocalKdc(Path folder) throws KrbException {
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

    public static LocalKdc start(Path folder) throws KrbException {
        return new LocalKdc(folder);
    }

    /** Returns the file with which a JVM finds this KDC. */
    public Path conf() {
        return folder.resolve("krb5.conf");
    }

    /** Returns a private file with the keys of principals, which are created if they do not exist. */
    public Path keytab(String name, String... principals) throws KrbException, IOException {
        Path file = folder.resolve(name + ".keytab");
        for (String principal : principals) {
            create(principal);
            kdc.exportPrincipal(principal, file.toFile());
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private void create(String principal) throws KrbException {
        if (created.add(principal)) {
            kdc.createPrincipal(principal, password(principal));
        }
    }

    private static String password(String principal) {
        return "password of " + principal;
    }

    /** Writes a ticket of a user, who is created if there is none, into a ticket cache. */
    public void writeTicket(String user, Path cache) throws KrbException {
        create(user);
        kdc.getKrbClient().storeTicket(kdc.getKrbClient().requestTgt(user, password(user)), cache.toFile());
    }

    /** Gives a principal new keys. Those in files are old afterwards. */
    public void changeKeys(String principal) throws KrbException {
        delete(principal);
        kdc.createPrincipal(principal, "another password of " + principal);
    }

    /** Deletes a principal. */
    public void delete(String principal) throws KrbException {
        kdc.deletePrincipal(principal);
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
