package io.skep.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import java.util.LinkedHashSet;
import java.util.List;
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

    private KerberosAcceptor(KerberosConfig config) {
        this.config = config;
        ServicePrincipal own = service(config.binary());
        this.principal = own.name();
        this.binary = subject(List.of(own));
        ServicePrincipal further = service(config.http());
        this.http = further.name().equals(principal) ? binary : subject(List.of(further, own));
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
        return new KerberosAcceptor(config);
    }

    private static ServicePrincipal service(KerberosConfig.Service named) {
        return new ServicePrincipal(
                ServicePrincipal.onThisHost(named.principalSetting().name(), named.principal()),
                named.keytabSetting().name(),
                named.keytab());
    }

    /** Returns a subject with the keys of principals, which accepts tickets for them. */
    private static Subject subject(List<ServicePrincipal> services) {
        Set<KerberosPrincipal> principals = new LinkedHashSet<>();
        Set<KeyTab> keys = new LinkedHashSet<>();
        for (ServicePrincipal service : services) {
            service.requireKeys();
            principals.add(new KerberosPrincipal(service.name()));
            keys.add(service.keys());
        }
        return new Subject(true, principals, Set.of(), keys);
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
    public static String reason(Throwable failure) {
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
