package io.skep.authentication;

import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The ways of a process to verify who its users are. Thread-safe. */
public final class UserAuthentication {
    private final AuthenticationConfig config;
    private final Optional<PasswordAuthenticator> passwords;
    private final Optional<TokenAuthenticator> tokens;
    private final Optional<KerberosAcceptor> kerberos;

    private UserAuthentication(
            AuthenticationConfig config,
            Optional<PasswordAuthenticator> passwords,
            Optional<TokenAuthenticator> tokens,
            Optional<KerberosAcceptor> kerberos) {
        this.config = config;
        this.passwords = passwords;
        this.tokens = tokens;
        this.kerberos = kerberos;
    }

    /**
     * @param site all settings of the site, with its credential providers
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when what a mode needs cannot be used
     */
    public static UserAuthentication open(AuthenticationConfig config, Configuration site) {
        Optional<TokenAuthenticator> tokens = config.uses(AuthenticationMode.JWT)
                ? Optional.of(TokenAuthenticator.open(config.jwt(), InstantSource.system()))
                : Optional.empty();
        return new UserAuthentication(
                config, passwords(config, site), tokens, config.kerberos().map(KerberosAcceptor::open));
    }

    private static Optional<PasswordAuthenticator> passwords(AuthenticationConfig config, Configuration site) {
        if (config.uses(AuthenticationMode.FILE)) {
            return Optional.of(UserFileAuthenticator.open(config.userFile().orElseThrow()));
        }
        if (config.uses(AuthenticationMode.LDAP)) {
            return Optional.of(LdapAuthenticator.open(config.ldap(), site));
        }
        return config.verifies() ? Optional.empty() : Optional.of((user, _, _) -> user);
    }

    public AuthenticationConfig config() {
        return config;
    }

    /** Returns what verifies the passwords of SASL PLAIN and of HTTP's Basic authentication, if a mode uses them. */
    public Optional<PasswordAuthenticator> passwords() {
        return passwords;
    }

    /** Whether users send passwords that are verified. */
    public boolean verifiesPasswords() {
        return config.verifies() && passwords.isPresent();
    }

    /** Returns what verifies the tokens of HTTP's Bearer authentication, if a mode uses them. */
    public Optional<TokenAuthenticator> tokens() {
        return tokens;
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
        } else if (passwords.isEmpty()) {
            how = "connect with a signed token";
        } else {
            how = config.sasl() ? "connect with SASL PLAIN" : "connect without SASL";
        }
        return "this server has " + AuthenticationConfig.MODES.name() + "=" + config.text() + ": " + how;
    }
}
