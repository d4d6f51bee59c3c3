package io.skep.service.authentication;

import java.util.Optional;

/** The ways of a server to authenticate its clients. Thread-safe. */
public final class ClientAuthentication {
    private final AuthenticationConfig config;
    private final Optional<PasswordAuthenticator> passwords;
    private final Optional<KerberosAcceptor> kerberos;

    private ClientAuthentication(
            AuthenticationConfig config,
            Optional<PasswordAuthenticator> passwords,
            Optional<KerberosAcceptor> kerberos) {
        this.config = config;
        this.passwords = passwords;
        this.kerberos = kerberos;
    }

    /**
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when what a mode needs cannot be used
     */
    public static ClientAuthentication open(AuthenticationConfig config) {
        return new ClientAuthentication(
                config, passwords(config), config.kerberos().map(KerberosAcceptor::open));
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

    /** Returns what accepts clients with tickets of Kerberos, if a mode uses them. */
    public Optional<KerberosAcceptor> kerberos() {
        return kerberos;
    }

    /** Returns how clients have to connect, for those that do otherwise. */
    public String advice() {
        String how;
        if (kerberos.isPresent()) {
            how = "connect with principal=" + kerberos.get().principal();
        } else {
            how = config.sasl() ? "connect with SASL PLAIN" : "connect without SASL";
        }
        return "this server has " + AuthenticationConfig.MODES.name() + "=" + config.text() + ": " + how;
    }
}
