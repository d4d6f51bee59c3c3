package io.skep.authentication;

import io.skep.authentication.ldap.LdapConfig;
import io.skep.authentication.ldap.LdapDirectory;
import javax.naming.NamingException;
import org.apache.hadoop.conf.Configuration;

/**
 * Verifies passwords by LDAP directories, a limited number at a time. Each verification has its own connections. JNDI
 * has a thread for each of them.
 */
final class LdapAuthenticator implements PasswordAuthenticator {
    private final LdapDirectory directory;

    private LdapAuthenticator(LdapDirectory directory) {
        this.directory = directory;
    }

    static PasswordAuthenticator open(LdapConfig config, Configuration site) {
        PasswordAuthenticator unlimited = new LdapAuthenticator(LdapDirectory.open(config, site));
        return new LoginLimit(unlimited, config.maxLogins(), config.timeout());
    }

    @Override
    public String verify(String user, String password, String address) throws AuthenticationException {
        try {
            return directory.verify(user, password);
        } catch (NamingException e) {
            throw new AuthenticationException("LDAP: " + e.getMessage(), e);
        }
    }
}
