package io.skep.service.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.DelegationTokenStore;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** The ways of a server to authenticate its clients. Thread-safe. */
public final class ClientAuthentication implements AutoCloseable {
    private final AuthenticationConfig config;
    private final Optional<PasswordAuthenticator> passwords;
    private final Optional<TokenAuthenticator> tokens;
    private final Optional<KerberosAcceptor> kerberos;
    private final Optional<DelegationTokens> delegationTokens;
    private final ProxyUserRules proxyUsers;

    private ClientAuthentication(
            AuthenticationConfig config,
            Optional<PasswordAuthenticator> passwords,
            Optional<TokenAuthenticator> tokens,
            Optional<KerberosAcceptor> kerberos,
            ProxyUserRules proxyUsers,
            Supplier<DelegationTokenStore> tokenStore) {
        this.config = config;
        this.passwords = passwords;
        this.tokens = tokens;
        this.kerberos = kerberos;
        this.delegationTokens = kerberos.map(_ -> new DelegationTokens(config.delegationTokens(), tokenStore));
        this.proxyUsers = proxyUsers;
    }

    /** Opens the ways of a server without a metastore, whose delegation tokens can only be in memory. */
    public static ClientAuthentication open(AuthenticationConfig config, Configuration site) {
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
            AuthenticationConfig config, Configuration site, Supplier<DelegationTokenStore> tokenStore) {
        Optional<TokenAuthenticator> tokens = config.uses(AuthenticationMode.JWT)
                ? Optional.of(TokenAuthenticator.open(config.jwt(), InstantSource.system()))
                : Optional.empty();
        return new ClientAuthentication(
                config,
                passwords(config, site),
                tokens,
                config.kerberos().map(KerberosAcceptor::open),
                new ProxyUserRules(config, site),
                tokenStore);
    }

    private static Optional<PasswordAuthenticator> passwords(AuthenticationConfig config, Configuration site) {
        if (config.uses(AuthenticationMode.FILE)) {
            return Optional.of(UserFileAuthenticator.open(config.userFile().orElseThrow()));
        }
        if (config.uses(AuthenticationMode.LDAP)) {
            return Optional.of(LdapAuthenticator.open(config.ldap(), site));
        }
        return config.verifies() ? Optional.empty() : Optional.of((user, _) -> user);
    }

    public AuthenticationConfig config() {
        return config;
    }

    /** Returns what verifies the passwords of SASL PLAIN and of HTTP's Basic authentication, if a mode uses them. */
    public Optional<PasswordAuthenticator> passwords() {
        return passwords;
    }

    /** Returns what verifies the tokens of HTTP's Bearer authentication, if a mode uses them. */
    public Optional<TokenAuthenticator> tokens() {
        return tokens;
    }

    /** Returns what accepts clients with tickets of Kerberos, if a mode uses them. */
    public Optional<KerberosAcceptor> kerberos() {
        return kerberos;
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

    /** Returns how clients have to connect, for those that do otherwise. */
    public String advice() {
        String how;
        if (kerberos.isPresent()) {
            how = "connect with principal=" + kerberos.get().principal();
        } else if (passwords.isEmpty()) {
            how = "connect with a signed token";
        } else {
            how = config.sasl() ? "connect with SASL PLAIN" : "connect without SASL";
        }
        return "this server has " + AuthenticationConfig.MODES.name() + "=" + config.text() + ": " + how;
    }
}
