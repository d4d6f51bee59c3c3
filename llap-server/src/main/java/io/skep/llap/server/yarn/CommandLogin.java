package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.storage.file.HadoopLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.util.KerberosName;

/**
 * The login of a command's process to a cluster with Kerberos: by the keytab of the daemons where the command may read
 * it, otherwise by the ticket of the person who runs it. Both have to be the same user for Hadoop, since daemons,
 * master and commands share a folder.
 */
final class CommandLogin implements AutoCloseable {
    private final Optional<HadoopLogin> login;

    private CommandLogin(Optional<HadoopLogin> login) {
        this.login = login;
    }

    /**
     * Logs in, where the cluster has Kerberos.
     *
     * @throws SkepException KERBEROS_ERROR when neither a keytab nor a ticket can be used, INVALID_CONFIGURATION
     */
    static CommandLogin start(ClusterSettings site) {
        return new CommandLogin(site.login().flatMap(daemons -> start(daemons, site.configuration())));
    }

    private static Optional<HadoopLogin> start(ServicePrincipal daemons, Configuration hadoop) {
        if (Files.isReadable(daemons.keytab())) {
            return Optional.of(HadoopLogin.start(daemons, hadoop));
        }
        String user;
        try {
            user = HadoopLogin.fromTicketCache(hadoop);
        } catch (SkepException e) {
            throw new SkepException(
                            StandardErrorCode.KERBEROS_ERROR,
                            "this command cannot log in: " + daemons.keytabSetting() + " '" + daemons.keytab()
                                    + "' cannot be read here, and " + e.getMessage(),
                            e)
                    .withHint("run kinit, or run it as the user who may read the keytab of " + daemons.name());
        }
        requireSame(user, daemons);
        return Optional.empty();
    }

    private static void requireSame(String user, ServicePrincipal daemons) {
        String other;
        try {
            other = new KerberosName(daemons.name()).getShortName();
        } catch (IOException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "Hadoop has no user for " + daemons.name() + ": " + e.getMessage(),
                            e)
                    .withHint("hadoop.security.auth_to_local has to give the principal a user name");
        }
        if (!other.equals(user)) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "the ticket is of the user " + user + ", and daemons log in as " + daemons.name()
                                    + ", who is " + other)
                    .withHint("run kinit for a principal of " + other);
        }
    }

    @Override
    public void close() {
        login.ifPresent(HadoopLogin::close);
    }
}
