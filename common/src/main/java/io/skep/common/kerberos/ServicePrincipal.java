package io.skep.common.kerberos;

import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

/**
 * A principal of this process, and the file with its keys. Errors name the setting, the file and the principal.
 *
 * @param name the principal with this machine's name, such as {@code hive/host.example.org@EXAMPLE.ORG}
 * @param keytabSetting the setting that names the file
 */
public record ServicePrincipal(String name, String keytabSetting, Path keytab) {
    private static final String HOST = "_HOST";
    private static final String TICKET_GRANTING = "krbtgt/";

    /** The form of a principal in a setting. Empty text is no principal. */
    public static final PropertyType<Optional<String>> SETTING =
            new PropertyType<>("a principal like hive/" + HOST + "@EXAMPLE.ORG", text -> {
                if (!text.matches("|[^/@\\s]+/[^/@\\s]+@[^/@\\s]+")) {
                    throw new IllegalArgumentException();
                }
                return text.isEmpty() ? Optional.empty() : Optional.of(text);
            });

    /**
     * Returns a principal with the canonical name of this machine instead of {@code _HOST}.
     *
     * @param setting the name of its setting
     * @throws SkepException INVALID_CONFIGURATION when the machine has no name
     */
    public static String onThisHost(String setting, String principal) {
        if (!principal.contains("/" + HOST + "@")) {
            return principal;
        }
        try {
            String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
            return principal.replace("/" + HOST + "@", "/" + host + "@");
        } catch (UnknownHostException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "this machine has no name for " + HOST + " in " + setting + ": " + e.getMessage(),
                    e);
        }
    }

    /** Returns the keys in the file. The JDK reads it each time when they are used. */
    public KeyTab keys() {
        return KeyTab.getInstance(new KerberosPrincipal(name), keytab.toFile());
    }

    /** @throws SkepException INVALID_CONFIGURATION when the file is missing, open to others, or without a key */
    public void requireKeys() {
        if (!Files.isReadable(keytab)) {
            throw unusable(Files.exists(keytab) ? "cannot be read" : "does not exist");
        }
        try {
            if (!PrivateFiles.isPrivate(keytab)) {
                throw unusable("is open to other users of this machine").withHint("chmod 600 " + keytab);
            }
        } catch (IOException e) {
            throw unusable("cannot be read: " + e.getMessage());
        }
        if (keys().getKeys(new KerberosPrincipal(name)).length == 0) {
            throw unusable("has no key for " + name + " that this JVM and krb5.conf allow")
                    .withHint("klist -kte " + keytab + " lists its keys");
        }
    }

    private SkepException unusable(String why) {
        return new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION, keytabSetting + " is '" + keytab + "', which " + why);
    }

    /**
     * Gets a ticket for other services from the KDC. The ticket is in no subject but its own.
     *
     * @throws SkepException INVALID_CONFIGURATION when the keys cannot be used, KERBEROS_ERROR when the KDC refuses or
     *     does not answer
     */
    public KerberosTicket login() {
        requireKeys();
        try {
            Configuration onlyThis = new Configuration() {
                @Override
                public AppConfigurationEntry[] getAppConfigurationEntry(String entry) {
                    return new AppConfigurationEntry[] {loginModule()};
                }
            };
            LoginContext login = new LoginContext("service", new Subject(), null, onlyThis);
            login.login();
            return ticket(login.getSubject()).orElseThrow(() -> new LoginException("the KDC gave no ticket"));
        } catch (LoginException e) {
            throw refused(e);
        }
    }

    /** Returns how JAAS logs this principal in. */
    public AppConfigurationEntry loginModule() {
        return new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule",
                LoginModuleControlFlag.REQUIRED,
                Map.of(
                        "principal",
                        name,
                        "keyTab",
                        keytab.toString(),
                        "useKeyTab",
                        "true",
                        "storeKey",
                        "true",
                        "doNotPrompt",
                        "true",
                        "refreshKrb5Config",
                        "true"));
    }

    /** Returns the ticket of a subject with which it gets tickets for services, if it has one. */
    public static Optional<KerberosTicket> ticket(Subject subject) {
        return subject.getPrivateCredentials(KerberosTicket.class).stream()
                .filter(ticket ->
                        !ticket.isDestroyed() && ticket.getServer().getName().startsWith(TICKET_GRANTING))
                .findFirst();
    }

    private SkepException refused(LoginException e) {
        String reason = String.valueOf(e.getMessage());
        SkepException error = new SkepException(
                StandardErrorCode.KERBEROS_ERROR,
                name + " cannot log in with " + keytabSetting + " '" + keytab + "': " + reason,
                e);
        return error.withHint(hint(reason));
    }

    /** The numbers are those of RFC 4120, 7.5.9, which the JDK puts behind the text of an answer. */
    private String hint(String reason) {
        if (reason.contains("(37)")) {
            return "set the clocks of this machine and of the KDC, for example by NTP";
        }
        if (reason.contains("(24)") || reason.contains("(31)") || reason.contains("Checksum failed")) {
            return "the keys in the file are old: write it again, for example by ktadd";
        }
        if (reason.contains("(6)")) {
            return "create the principal, or correct its setting";
        }
        return "kinit -kt " + keytab + " " + name + " tries the same";
    }
}
