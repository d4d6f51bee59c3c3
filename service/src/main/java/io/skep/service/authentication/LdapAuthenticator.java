package io.skep.service.authentication;

import io.skep.service.ldap.LdapConfig;
import io.skep.service.ldap.LdapDirectory;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.naming.NamingException;
import org.apache.hadoop.conf.Configuration;

/**
 * Verifies passwords by LDAP directories, a limited number at a time. Each verification has its own connections. JNDI
 * has a thread for each of them.
 */
final class LdapAuthenticator implements PasswordAuthenticator {
    private final LdapDirectory directory;
    private final Duration patience;
    private final Semaphore verifying;

    private LdapAuthenticator(LdapDirectory directory, LdapConfig config) {
        this.directory = directory;
        this.patience = config.timeout();
        this.verifying = new Semaphore(config.maxLogins(), true);
    }

    static LdapAuthenticator open(LdapConfig config, Configuration site) {
        return new LdapAuthenticator(LdapDirectory.open(config, site), config);
    }

    @Override
    public String verify(String user, String password) throws AuthenticationException {
        try {
            if (!verifying.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AuthenticationException("too many logins at a time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuthenticationException("interrupted", e);
        }
        try {
            return directory.verify(user, password);
        } catch (NamingException e) {
            throw new AuthenticationException("LDAP: " + e.getMessage(), e);
        } finally {
            verifying.release();
        }
    }
}
