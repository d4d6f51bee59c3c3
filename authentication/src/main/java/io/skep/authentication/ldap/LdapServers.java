package io.skep.authentication.ldap;

import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories with the same contents, in the order of the settings. One that could not be reached is asked after the
 * others for half a minute, so that not each login waits for it. Thread-safe.
 */
final class LdapServers {
    private static final Logger LOG = LoggerFactory.getLogger(LdapServers.class);
    private static final long SUSPECTED_NANOS = Duration.ofSeconds(30).toNanos();

    /** Of the time that a login has, the part for one answer: a slow first server leaves time for the next one. */
    private static final int ANSWER_SHARE = 2;

    private final List<String> urls;

    /** The time of each server's last failure. */
    private final AtomicLongArray failed;

    LdapServers(List<String> urls) {
        this.urls = List.copyOf(urls);
        this.failed = new AtomicLongArray(urls.size());
        long longAgo = System.nanoTime() - SUSPECTED_NANOS;
        for (int i = 0; i < urls.size(); i++) {
            failed.set(i, longAgo);
        }
    }

    /**
     * Logs in to the first directory that answers.
     *
     * @param principal the name of an entry, or a name that the directory takes for one
     * @param password not empty: directories let everyone in without a password, as nobody
     * @throws NamingException when that directory refuses the login, or none answers
     */
    LdapSession login(String principal, String password, Deadline deadline) throws NamingException {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("a login without a password is no login");
        }
        NamingException failure = new CommunicationException("no directory");
        int[] order = order();
        for (int i = 0; i < order.length; i++) {
            Duration patience = deadline.left().dividedBy((long) ANSWER_SHARE * (order.length - i));
            String url = urls.get(order[i]);
            try {
                return new LdapSession(
                        new InitialDirContext(environment(url, principal, password, patience)), deadline);
            } catch (NamingException e) {
                if (!LdapSession.isOfTheServer(e)) {
                    throw e;
                }
                LOG.warn("the directory {} cannot be used: {}", url, e.getMessage());
                failed.set(order[i], System.nanoTime());
                failure = e;
            }
        }
        throw failure;
    }

    /**
     * Connects to the first directory as nobody, which proves nothing but that it answers.
     *
     * @throws NamingException when it lets nobody in, or does not answer
     */
    LdapSession connect(Deadline deadline) throws NamingException {
        Hashtable<String, Object> environment =
                environment(urls.getFirst(), "", "", deadline.left().dividedBy(ANSWER_SHARE));
        environment.put(Context.SECURITY_AUTHENTICATION, "none");
        environment.remove(Context.SECURITY_PRINCIPAL);
        environment.remove(Context.SECURITY_CREDENTIALS);
        return new LdapSession(new InitialDirContext(environment), deadline);
    }

    private int[] order() {
        long now = System.nanoTime();
        boolean[] suspected = new boolean[urls.size()];
        for (int i = 0; i < suspected.length; i++) {
            suspected[i] = now - failed.get(i) < SUSPECTED_NANOS;
        }
        return Stream.of(false, true)
                .flatMapToInt(late -> IntStream.range(0, suspected.length).filter(i -> suspected[i] == late))
                .toArray();
    }

    /** Names of LDAP have to be in version 3. Referrals are not followed. Connections are not pooled. */
    @SuppressWarnings("JdkObsolete") // JNDI takes no other map
    private static Hashtable<String, Object> environment(
            String url, String principal, String password, Duration patience) {
        String millis = Long.toString(Math.max(1, patience.toMillis()));
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, url);
        environment.put(Context.SECURITY_AUTHENTICATION, "simple");
        environment.put(Context.SECURITY_PRINCIPAL, principal);
        environment.put(Context.SECURITY_CREDENTIALS, password);
        environment.put(Context.REFERRAL, "ignore");
        environment.put("java.naming.ldap.version", "3");
        environment.put("com.sun.jndi.ldap.connect.pool", "false");
        environment.put("com.sun.jndi.ldap.connect.timeout", millis);
        environment.put("com.sun.jndi.ldap.read.timeout", millis);
        return environment;
    }
}
