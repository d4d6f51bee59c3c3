package io.skep.service.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * Accepts clients that have tickets for this server. Thread-safe.
 *
 * <p>An acceptor needs no ticket of its own: the keys in the keytab are enough, and the JDK reads the file for each
 * client, so nothing expires. The keys are in subjects that only this class knows. Hadoop's login and the process as a
 * whole stay as they are.
 */
public final class KerberosAcceptor {
    private static final String KERBEROS_5 = "1.2.840.113554.1.2.2";
    private static final String SPNEGO = "1.3.6.1.5.5.2";

    private final KerberosConfig config;
    private final String principal;
    private final Subject binary;
    private final Subject http;
    private final PrincipalNames names;

    /**
     * A client that has logged in over HTTP.
     *
     * @param answer the token with which the server proves who it is; may be empty
     */
    public record HttpClient(String user, byte[] answer) {}

    private KerberosAcceptor(KerberosConfig config, String host) {
        this.config = config;
        this.principal = KerberosConfig.onHost(config.principal(), host);
        String httpPrincipal = KerberosConfig.onHost(config.httpPrincipal(), host);
        requireKeys(KerberosConfig.KEYTAB.name(), config.keytab(), principal);
        this.binary = new Subject(
                true, Set.of(new KerberosPrincipal(principal)), Set.of(), Set.of(keys(config.keytab(), principal)));
        if (httpPrincipal.equals(principal)) {
            this.http = binary;
        } else {
            requireKeys(KerberosConfig.HTTP_KEYTAB.name(), config.httpKeytab(), httpPrincipal);
            Set<KeyTab> both = new LinkedHashSet<>();
            both.add(keys(config.httpKeytab(), httpPrincipal));
            both.add(keys(config.keytab(), principal));
            this.http = new Subject(
                    true,
                    Set.of(new KerberosPrincipal(httpPrincipal), new KerberosPrincipal(principal)),
                    Set.of(),
                    both);
        }
        try {
            this.names = new PrincipalNames(config.nameRules(), config.ruleMechanism());
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    KerberosConfig.NAME_RULES.name() + " is '" + config.nameRules()
                            + "', which are no rules of Hadoop: " + e.getMessage(),
                    e);
        }
    }

    /** @throws SkepException INVALID_CONFIGURATION when a keytab, the machine's name or the rules cannot be used */
    public static KerberosAcceptor open(KerberosConfig config) {
        try {
            return new KerberosAcceptor(
                    config, InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "this machine has no name for " + KerberosConfig.PRINCIPAL.name() + ": " + e.getMessage(),
                    e);
        }
    }

    private static KeyTab keys(Path file, String principal) {
        return KeyTab.getInstance(new KerberosPrincipal(principal), file.toFile());
    }

    private static void requireKeys(String setting, Path file, String principal) {
        if (!Files.isReadable(file)) {
            throw unusable(setting, file, Files.exists(file) ? "cannot be read" : "does not exist");
        }
        try {
            if (!PrivateFiles.isPrivate(file)) {
                throw unusable(setting, file, "is open to other users of this machine")
                        .withHint("chmod 600 " + file);
            }
        } catch (IOException e) {
            throw unusable(setting, file, "cannot be read: " + e.getMessage());
        }
        if (keys(file, principal).getKeys(new KerberosPrincipal(principal)).length == 0) {
            throw unusable(setting, file, "has no key for " + principal + " that this JVM and krb5.conf allow")
                    .withHint("klist -kte " + file + " lists its keys");
        }
    }

    private static SkepException unusable(String setting, Path file, String why) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, setting + " is '" + file + "', which " + why);
    }

    /** Returns the name of the server that clients of the binary transport ask a ticket for. */
    public String principal() {
        return principal;
    }

    /**
     * Returns the name of the user who may renew a token, from a principal or a user's name.
     *
     * @throws AuthenticationException when the principal has no user name
     */
    public String renewer(String name) throws AuthenticationException {
        return name.contains("@") || name.contains("/") ? names.user(name) : name;
    }

    /** Returns the protection of messages that clients have to agree to. */
    public SaslProtection protection() {
        return config.protection();
    }

    /**
     * Begins the login of a client of the binary transport.
     *
     * @param maxMessageBytes the size of messages that the client may send later
     */
    public GssapiNegotiation negotiate(int maxMessageBytes) throws AuthenticationException {
        String service = principal.substring(0, principal.indexOf('/'));
        return new GssapiNegotiation(binary, service, names, config.protection(), maxMessageBytes);
    }

    /**
     * Accepts a client of the HTTP transport by its only token, of SPNEGO or of Kerberos itself.
     *
     * @throws AuthenticationException when the login is refused
     */
    public HttpClient accept(byte[] token) throws AuthenticationException {
        try {
            return Subject.callAs(http, () -> acceptAsServer(token));
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof AuthenticationException refusal
                    ? refusal
                    : new AuthenticationException(reason(cause), cause);
        }
    }

    private HttpClient acceptAsServer(byte[] token) throws GSSException, AuthenticationException {
        GSSManager manager = GSSManager.getInstance();
        Oid[] mechanisms = {new Oid(KERBEROS_5), new Oid(SPNEGO)};
        GSSCredential credential = manager.createCredential(
                null, GSSCredential.INDEFINITE_LIFETIME, mechanisms, GSSCredential.ACCEPT_ONLY);
        GSSContext context = manager.createContext(credential);
        try {
            byte[] answer = context.acceptSecContext(token, 0, token.length);
            if (!context.isEstablished()) {
                throw new AuthenticationException("the client prefers another mechanism than Kerberos");
            }
            return new HttpClient(names.user(context.getSrcName().toString()), answer == null ? new byte[0] : answer);
        } finally {
            context.dispose();
        }
    }

    /** Returns why the JDK refuses a login, on one line. */
    static String reason(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String more = String.valueOf(cause.getMessage());
            if (text.indexOf(more) < 0) {
                text.append(": ").append(more);
            }
        }
        return text.toString().replaceAll("\\p{Cntrl}", "?");
    }
}
