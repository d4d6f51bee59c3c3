package io.skep.service.authentication;

import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The ways of a server to authenticate its clients. Thread-safe. */
public final class ClientAuthentication {
    private final AuthenticationConfig config;
    private final Optional<PasswordAuthenticator> passwords;
    private final Optional<TokenAuthenticator> tokens;
    private final ProxyUserRules proxyUsers;

    private ClientAuthentication(
            AuthenticationConfig config,
            Optional<PasswordAuthenticator> passwords,
            Optional<TokenAuthenticator> tokens,
            ProxyUserRules proxyUsers) {
        this.config = config;
        this.passwords = passwords;
        this.tokens = tokens;
        this.proxyUsers = proxyUsers;
    }

    /**
     * @param site all settings of the site, with its credential providers
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when what a mode needs cannot be used
     */
    public static ClientAuthentication open(AuthenticationConfig config, Configuration site) {
        Optional<TokenAuthenticator> tokens = config.uses(AuthenticationMode.JWT)
                ? Optional.of(TokenAuthenticator.open(config.jwt(), InstantSource.system()))
                : Optional.empty();
        return new ClientAuthentication(config, passwords(config, site), tokens, new ProxyUserRules(config, site));
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

    /** Returns which users may act as other ones. */
    public ProxyUserRules proxyUsers() {
        return proxyUsers;
    }
}
