package io.skep.authentication.ldap;

import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.naming.AuthenticationException;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of LDAP directories. A user logs in to the directory, and rules of the settings say who may log in here.
 * With an account of its own, the server finds the user's entry and checks the rules with that account's rights.
 * Otherwise it does so with the rights of the user. Thread-safe.
 */
public final class LdapDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(LdapDirectory.class);

    private final LdapConfig config;
    private final LdapServers servers;
    private final List<AdmissionRule> rules;
    private final Optional<Account> account;

    /** The server's own account. */
    private record Account(LoginName name, String password) {
        @Override
        public String toString() {
            return "Account[" + name.text() + "]";
        }
    }

    private LdapDirectory(LdapConfig config, Optional<Account> account) {
        this.config = config;
        this.servers = new LdapServers(config.urls());
        this.rules = AdmissionRule.of(config);
        this.account = account;
    }

    /**
     * @param site all settings of the site, with its credential providers
     * @throws SkepException INVALID_CONFIGURATION when the password of the server's own account is missing
     */
    public static LdapDirectory open(LdapConfig config, Configuration site) {
        for (String url : config.plainUrls()) {
            LOG.warn("passwords go to {} as they are: ldaps encrypts them", url);
        }
        return new LdapDirectory(config, config.account().map(name -> account(name, site)));
    }

    private static Account account(String name, Configuration site) {
        char @Nullable [] password;
        try {
            password = site.getPassword(LdapConfig.ACCOUNT_PASSWORD.name());
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    LdapConfig.ACCOUNT_PASSWORD.name() + " cannot be read from a credential provider: "
                            + e.getMessage(),
                    e);
        }
        if (password == null || !isPassword(new String(password))) {
            throw wrong(LdapConfig.ACCOUNT_PASSWORD, "is missing: " + LdapConfig.ACCOUNT.name() + " needs it");
        }
        return new Account(new LoginName(name), new String(password));
    }

    private static SkepException wrong(Property<?> setting, String problem) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, setting.name() + " " + problem);
    }

    /** Directories accept a login without a password, as nobody. So an empty password is none, and blanks are none. */
    private static boolean isPassword(String password) {
        return !password.isBlank() && password.charAt(0) != '\0';
    }

    /**
     * Returns the name of a user with the right password who may log in: the one that the client gave, but without the
     * domain of the settings.
     *
     * @throws NamingException when the login is refused, or no directory answers
     */
    public String verify(String user, String password) throws NamingException {
        if (user.isEmpty() || !user.strip().equals(user)) {
            throw new AuthenticationException("a user name has no blanks at its begin and end");
        }
        if (!isPassword(password)) {
            throw new AuthenticationException("the password is empty");
        }
        LoginName name = new LoginName(user);
        Deadline deadline = new Deadline(config.timeout());
        if (account.isPresent()) {
            loginAsFound(account.get(), name, password, deadline);
        } else {
            try (LdapSession session = login(name, password, deadline)) {
                admit(new LdapUsers(config, session), name);
            }
        }
        boolean known = config.domain().isPresent() && name.isOf(config.domain().get());
        return known ? name.withoutDomain().text() : user;
    }

    /**
     * Logs in to each directory with the server's own account, or connects only if it has none. Returns the URLs of all
     * directories, with what is wrong with those that cannot be used.
     */
    public Map<String, Optional<String>> probe() {
        Map<String, Optional<String>> problems = new LinkedHashMap<>();
        for (String url : config.urls()) {
            problems.put(url, problem(new LdapServers(List.of(url))));
        }
        return problems;
    }

    private Optional<String> problem(LdapServers one) {
        Deadline deadline = new Deadline(config.timeout());
        try {
            if (account.isPresent()) {
                login(one, account.get().name(), account.get().password(), deadline)
                        .close();
            } else {
                one.connect(deadline).close();
            }
            return Optional.empty();
        } catch (NamingException e) {
            boolean answers = account.isEmpty() && !LdapSession.isOfTheServer(e);
            return answers ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void loginAsFound(Account account, LoginName user, String password, Deadline deadline)
            throws NamingException {
        String entry;
        try (LdapSession session = login(account.name(), account.password(), deadline)) {
            LdapUsers users = new LdapUsers(config, session);
            admit(users, user);
            entry = users.find(user).orElseThrow(() -> new AuthenticationException("the directory has no such user"));
        }
        servers.login(entry, password, deadline).close();
    }

    private void admit(LdapUsers users, LoginName user) throws NamingException {
        for (AdmissionRule rule : rules) {
            if (!rule.admits(users, user.withoutDomain())) {
                throw new NoPermissionException("the settings do not admit the user");
            }
        }
    }

    private LdapSession login(LoginName user, String password, Deadline deadline) throws NamingException {
        return login(servers, user, password, deadline);
    }

    private LdapSession login(LdapServers servers, LoginName user, String password, Deadline deadline)
            throws NamingException {
        List<String> principals = principals(user);
        for (String principal : principals.subList(0, principals.size() - 1)) {
            try {
                return servers.login(principal, password, deadline);
            } catch (NamingException e) {
                if (LdapSession.isOfTheServer(e)) {
                    throw e;
                }
            }
        }
        return servers.login(principals.getLast(), password, deadline);
    }

    /** Returns the names with which a user may be known to the directory; at least one. */
    private List<String> principals(LoginName user) {
        if (user.hasDomain() || user.isDn()) {
            return List.of(user.text());
        }
        if (config.domain().isPresent()) {
            return List.of(user.text() + "@" + config.domain().get());
        }
        return config.userPatterns().isEmpty()
                ? List.of(user.text())
                : config.userPatterns().stream()
                        .map(pattern -> pattern.principal(user.text()))
                        .toList();
    }
}
