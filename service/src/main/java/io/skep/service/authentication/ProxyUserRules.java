package io.skep.service.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.DefaultImpersonationProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which users may act as other ones, by Hadoop's rules: {@code hadoop.proxyuser.USER.hosts}, {@code .groups}
 * and {@code .users}. As in Hive, a server that does not authenticate its clients lets each of them act as anyone,
 * since a client can log in under any name there. Thread-safe.
 */
public final class ProxyUserRules {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyUserRules.class);
    private static final String PREFIX = "hadoop.proxyuser";

    private final ClientAuthenticationConfig config;
    private final DefaultImpersonationProvider rules = new DefaultImpersonationProvider();

    /** @param site all settings of the site */
    ProxyUserRules(ClientAuthenticationConfig config, Configuration site) {
        this.config = config;
        Configuration proxies = new Configuration(false);
        site.getPropsWithPrefix(PREFIX).forEach((name, value) -> proxies.set(PREFIX + name, value));
        rules.setConf(proxies);
        rules.init(PREFIX);
    }

    /**
     * Returns when a user may act as another one.
     *
     * @param login the user that has logged in
     * @param user whose rights the session is to have
     * @param address the client's address
     * @throws SkepException ACCESS_DENIED
     */
    public void check(String login, String user, String address) {
        if (!config.proxyUsers()) {
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, "Proxy user substitution is not allowed")
                    .withHint(ClientAuthenticationConfig.PROXY_USERS.name() + "=false says so");
        }
        if (!config.users().verifies() || login.equals(user)) {
            return;
        }
        try {
            rules.authorize(
                    UserGroupInformation.createProxyUser(user, UserGroupInformation.createRemoteUser(login)), address);
        } catch (AuthorizationException | IllegalArgumentException e) {
            // With Kerberos, Hadoop takes a name with an @ for a principal, which its rules may not know.
            LOG.info("{} may not act as {}: {}", login, user, e.getMessage());
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "Failed to validate proxy privilege of " + login + " for " + user,
                            e)
                    .withHint(PREFIX + "." + login + ".hosts and .users or .groups say as whom it may act");
        }
    }
}
