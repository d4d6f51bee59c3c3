package io.skep.service.authentication;

import java.util.Map;
import java.util.Optional;

/** The ways of a server to authenticate its clients. Thread-safe. */
public final class ClientAuthentication {
    private final AuthenticationConfig config;
    private final Optional<PasswordAuthenticator> passwords;
    private final ProxyUserRules proxyUsers;

    private ClientAuthentication(
            AuthenticationConfig config, Optional<PasswordAuthenticator> passwords, ProxyUserRules proxyUsers) {
        this.config = config;
        this.passwords = passwords;
        this.proxyUsers = proxyUsers;
    }

    /**
     * @param site all settings of the site
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when what a mode needs cannot be used
     */
    public static ClientAuthentication open(AuthenticationConfig config, Map<String, String> site) {
        return new ClientAuthentication(config, passwords(config), new ProxyUserRules(config, site));
    }

    private static Optional<PasswordAuthenticator> passwords(AuthenticationConfig config) {
        if (config.uses(AuthenticationMode.FILE)) {
            return Optional.of(UserFileAuthenticator.open(config.userFile().orElseThrow()));
        }
        return config.verifies() ? Optional.empty() : Optional.of((user, password) -> {});
    }

    public AuthenticationConfig config() {
        return config;
    }

    /** Returns what verifies the passwords of SASL PLAIN and of HTTP's Basic authentication, if a mode uses them. */
    public Optional<PasswordAuthenticator> passwords() {
        return passwords;
    }

    /** Returns which users may act as other ones. */
    public ProxyUserRules proxyUsers() {
        return proxyUsers;
    }
}
