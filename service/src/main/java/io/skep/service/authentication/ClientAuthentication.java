package io.skep.service.authentication;

import io.skep.authentication.UserAuthentication;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.DelegationTokenStore;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** The ways of a server to authenticate its clients. Thread-safe. */
public final class ClientAuthentication implements AutoCloseable {
    private final UserAuthentication users;
    private final Optional<DelegationTokens> delegationTokens;
    private final ProxyUserRules proxyUsers;

    private ClientAuthentication(
            ClientAuthenticationConfig config,
            UserAuthentication users,
            ProxyUserRules proxyUsers,
            Supplier<DelegationTokenStore> tokenStore) {
        this.users = users;
        this.delegationTokens = users.kerberos().map(_ -> new DelegationTokens(config.delegationTokens(), tokenStore));
        this.proxyUsers = proxyUsers;
    }

    /** Opens the ways of a server without a metastore, whose delegation tokens can only be in memory. */
    public static ClientAuthentication open(ClientAuthenticationConfig config, Configuration site) {
        return open(config, site, () -> {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "there is no metastore database for delegation tokens");
        });
    }

    /**
     * @param site all settings of the site, with its credential providers
     * @param tokenStore holds delegation tokens, where the configuration says so; asked when it is first needed
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when what a mode needs cannot be used
     */
    public static ClientAuthentication open(
            ClientAuthenticationConfig config, Configuration site, Supplier<DelegationTokenStore> tokenStore) {
        return new ClientAuthentication(
                config, UserAuthentication.open(config.users(), site), new ProxyUserRules(config, site), tokenStore);
    }

    /** Returns how users log in, by the means that daemons have too. */
    public UserAuthentication users() {
        return users;
    }

    /** Returns the tokens that this server gives to clients with tickets of Kerberos, and accepts instead of those. */
    public Optional<DelegationTokens> delegationTokens() {
        return delegationTokens;
    }

    /**
     * Checks that delegation tokens can be kept where the configuration says.
     *
     * @throws SkepException INVALID_CONFIGURATION when they cannot
     */
    public void checkTokenStore() {
        delegationTokens.ifPresent(DelegationTokens::checkStore);
    }

    @Override
    public void close() {
        delegationTokens.ifPresent(DelegationTokens::close);
    }

    /** Returns which users may act as other ones. */
    public ProxyUserRules proxyUsers() {
        return proxyUsers;
    }
}
