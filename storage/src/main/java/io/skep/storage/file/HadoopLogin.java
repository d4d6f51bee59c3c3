package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of this process to a Hadoop with Kerberos. Hadoop has one for the whole process: all its clients act as
 * this principal, on every thread. A thread replaces the ticket before it expires.
 *
 * <p>Hadoop throws its ticket away before it asks for the next one. So this class asks for a ticket of its own first:
 * when the keytab or the KDC is gone, the process goes on with the ticket that it has.
 */
public final class HadoopLogin implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopLogin.class);

    /** The part of a ticket's life after which it is replaced. */
    private static final double RENEWAL = 0.75;

    private static final Duration MIN_WAIT = Duration.ofSeconds(1);
    private static final Duration MIN_RETRY = Duration.ofSeconds(2);
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final ServicePrincipal principal;
    private final UserGroupInformation user;
    private final InstantSource clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("hadoop-login").factory());

    /** This field and the next are used only by the thread. */
    private boolean failing;

    private boolean expired;

    private HadoopLogin(ServicePrincipal principal, UserGroupInformation user, InstantSource clock) {
        this.principal = principal;
        this.user = user;
        this.clock = clock;
    }

    /**
     * Logs this process in. It stays logged in when this object is closed, but its ticket is not replaced any more.
     *
     * @param hadoop the configuration of the process, with {@code hadoop.security.authentication=kerberos}
     * @throws SkepException INVALID_CONFIGURATION when the keytab cannot be used, KERBEROS_ERROR when the KDC refuses
     *     or does not answer
     */
    public static HadoopLogin start(ServicePrincipal principal, Configuration hadoop) {
        principal.login();
        UserGroupInformation user;
        try {
            UserGroupInformation.setConfiguration(hadoop);
            UserGroupInformation.loginUserFromKeytab(
                    principal.name(), principal.keytab().toString());
            user = UserGroupInformation.getLoginUser();
        } catch (IOException | IllegalArgumentException e) {
            throw new SkepException(
                            StandardErrorCode.KERBEROS_ERROR,
                            principal.name() + " cannot log in to Hadoop with " + principal.keytabSetting() + " '"
                                    + principal.keytab() + "': " + e.getMessage(),
                            e)
                    .withHint("hadoop.security.auth_to_local has to give the principal a user name");
        }
        HadoopLogin login = new HadoopLogin(principal, user, InstantSource.system());
        LOG.info("Logged in to Hadoop as {} ({})", user.getShortUserName(), principal.name());
        login.scheduleNext();
        return login;
    }

    /**
     * Logs this process in with the ticket that its user has from {@code kinit}, and returns the name by which Hadoop
     * knows the user.
     *
     * @param hadoop the configuration of the process, with {@code hadoop.security.authentication=kerberos}
     * @throws SkepException KERBEROS_ERROR when there is no valid ticket
     */
    public static String fromTicketCache(Configuration hadoop) {
        try {
            UserGroupInformation.setConfiguration(hadoop);
            UserGroupInformation.loginUserFromSubject(null);
            UserGroupInformation user = UserGroupInformation.getLoginUser();
            if (!user.hasKerberosCredentials()) {
                throw new SkepException(
                        StandardErrorCode.KERBEROS_ERROR,
                        "the user " + user.getShortUserName() + " has no valid ticket of Kerberos");
            }
            return user.getShortUserName();
        } catch (IOException | IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.KERBEROS_ERROR, "the ticket cache cannot be used: " + e.getMessage(), e);
        }
    }

    private void keep() {
        try {
            if (!clock.instant().isBefore(renewal())) {
                renew();
            }
            scheduleNext();
        } catch (RuntimeException e) {
            LOG.error("The ticket for Hadoop could not be looked at", e);
            schedule(MAX_WAIT);
        }
    }

    private void renew() {
        try {
            principal.login();
            user.forceReloginFromKeytab();
            LOG.info("{} has a new ticket for Hadoop", principal.name());
            failing = false;
            expired = false;
        } catch (IOException | SkepException e) {
            failed(e);
        }
    }

    /** Logs the beginning of an outage, and the end of the ticket. */
    private void failed(Exception e) {
        Optional<Instant> end = ticket().map(HadoopLogin::end).filter(clock.instant()::isBefore);
        if (end.isEmpty() && !expired) {
            LOG.error("{} has no ticket for Hadoop any more, trying again: {}", principal.name(), e.getMessage());
        } else if (end.isPresent() && !failing) {
            LOG.warn(
                    "{} gets no new ticket for Hadoop, trying again; the one that it has ends at {}: {}",
                    principal.name(),
                    end.get(),
                    e.getMessage());
        }
        failing = true;
        expired = end.isEmpty();
    }

    /** Returns when the ticket is to be replaced. */
    private Instant renewal() {
        return ticket().map(HadoopLogin::renewal).orElse(Instant.MIN);
    }

    private static Instant renewal(KerberosTicket ticket) {
        Instant start = Optional.ofNullable(ticket.getStartTime())
                .orElse(ticket.getAuthTime())
                .toInstant();
        long life = Duration.between(start, end(ticket)).toMillis();
        return start.plusMillis((long) (life * RENEWAL));
    }

    private static Instant end(KerberosTicket ticket) {
        return ticket.getEndTime().toInstant();
    }

    private Optional<KerberosTicket> ticket() {
        return user.doAs((PrivilegedAction<Optional<KerberosTicket>>)
                () -> Optional.ofNullable(Subject.current()).flatMap(ServicePrincipal::ticket));
    }

    private void scheduleNext() {
        Instant now = clock.instant();
        Duration wait;
        if (failing) {
            Instant end = ticket().map(HadoopLogin::end).orElse(now);
            wait = atLeast(MIN_RETRY, Duration.between(now, end).dividedBy(4));
        } else {
            wait = atLeast(MIN_WAIT, Duration.between(now, renewal()));
        }
        schedule(wait);
    }

    private static Duration atLeast(Duration least, Duration wait) {
        return wait.compareTo(least) < 0 ? least : wait;
    }

    private void schedule(Duration wait) {
        // Suspended machines and clocks that are set make a long wait wrong.
        Duration bounded = wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
        if (!thread.isShutdown()) {
            var _ = thread.schedule(this::keep, bounded.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
