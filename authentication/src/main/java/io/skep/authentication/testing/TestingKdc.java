package io.skep.authentication.testing;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.KerberosConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.kerby.kerberos.kerb.KrbException;

/**
 * A {@link LocalKdc}, and clients of it in this process. While it is open, the JVM uses its {@code krb5.conf}; closing
 * it lets the JVM read the one of before again.
 */
public final class TestingKdc implements AutoCloseable {
    public static final String REALM = LocalKdc.REALM;

    /** The principal of the server. */
    public static final String SERVER = LocalKdc.SERVER;

    private static final String CONF = "java.security.krb5.conf";

    private final Path folder;
    private final LocalKdc kdc;
    private final Optional<String> confBefore = Optional.ofNullable(System.getProperty(CONF));

    private TestingKdc(Path folder) throws KrbException {
        this.folder = folder;
        this.kdc = LocalKdc.start(folder);
        useConf(kdc.conf());
    }

    /** Lets the JVM use another {@code krb5.conf}. */
    public void useConf(Path conf) {
        System.setProperty(CONF, conf.toString());
        readConf();
    }

    public static TestingKdc start(Path folder) throws KrbException {
        return new TestingKdc(folder);
    }

    /** Returns a private file with the keys of principals, which are created if they do not exist. */
    public Path keytab(String name, String... principals) throws KrbException, IOException {
        return kdc.keytab(name, principals);
    }

    /** Gives a principal new keys. Those in files are old afterwards. */
    public void changeKeys(String principal) throws KrbException {
        kdc.changeKeys(principal);
    }

    /** Deletes a principal. */
    public void delete(String principal) throws KrbException {
        kdc.delete(principal);
    }

    /** Returns the settings of a server with its keys. */
    public Map<String, String> server(String... changes) throws KrbException, IOException {
        Path file = folder.resolve("server.keytab");
        Map<String, String> settings = new HashMap<>(Map.of(
                AuthenticationConfig.MODES.name(),
                "KERBEROS",
                KerberosConfig.PRINCIPAL.name(),
                SERVER,
                KerberosConfig.KEYTAB.name(),
                (Files.exists(file) ? file : keytab("server", "hive/localhost")).toString()));
        for (int i = 0; i < changes.length; i += 2) {
            settings.put(changes[i], changes[i + 1]);
        }
        return settings;
    }

    /** Creates a client and logs it in. */
    public Subject login(String principal) throws KrbException, IOException, LoginException {
        return login(principal, keytab(principal, principal));
    }

    /** Logs a client in with the keys of a file. */
    public Subject login(String principal, Path keytab) throws LoginException {
        LoginContext login = login(Map.of(
                "useKeyTab", "true", "keyTab", keytab.toString(), "principal", principal, "doNotPrompt", "true"));
        login.login();
        return login.getSubject();
    }

    private static LoginContext login(Map<String, String> options) throws LoginException {
        Map<String, String> all = new HashMap<>(options);
        all.put("refreshKrb5Config", "true");
        AppConfigurationEntry module = new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule", LoginModuleControlFlag.REQUIRED, all);
        return new LoginContext("client", new Subject(), null, new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {module};
            }
        });
    }

    /** Runs an action as a client. */
    public static <T> T as(Subject client, Callable<T> action) throws Exception {
        try {
            return Subject.callAs(client, action);
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** The JVM reads the file again for a login, also for one that fails. */
    private static void readConf() {
        try {
            login(Map.of("useTicketCache", "true", "ticketCache", "/nowhere", "doNotPrompt", "true"))
                    .login();
        } catch (LoginException e) {
            return;
        }
        throw new IllegalStateException("a login without a ticket");
    }

    @Override
    public void close() {
        try {
            kdc.close();
        } finally {
            confBefore.ifPresentOrElse(before -> System.setProperty(CONF, before), () -> System.clearProperty(CONF));
            readConf();
        }
    }
}
