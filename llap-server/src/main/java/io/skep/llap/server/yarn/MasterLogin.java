package io.skep.llap.server.yarn;

import io.skep.common.kerberos.ServicePrincipal;
import io.skep.storage.file.HadoopLogin;
import java.io.File;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * The login of an application master on a cluster with Kerberos, by a keytab on its node. The resource manager knows a
 * master by a token, which is renewed over the connection to it. The tokens for the file system, with which the node
 * has fetched the package, end sooner than the master. It does not take them: Hadoop's clients would prefer them to its
 * ticket.
 */
final class MasterLogin {
    private MasterLogin() {}

    /**
     * Logs in for the life of this process.
     *
     * @param cluster its configuration
     */
    static HadoopLogin start(ServicePrincipal principal, Configuration cluster) throws IOException {
        HadoopLogin login = HadoopLogin.start(principal, cluster);
        Optional<String> file = Optional.ofNullable(System.getenv(ApplicationConstants.CONTAINER_TOKEN_FILE_ENV_NAME));
        if (file.isPresent()) {
            Credentials given = Credentials.readTokenStorageFile(new File(file.get()), cluster);
            for (Token<?> token : given.getAllTokens()) {
                if (token.getKind().equals(AMRMTokenIdentifier.KIND_NAME)) {
                    UserGroupInformation.getLoginUser().addToken(token);
                }
            }
        }
        return login;
    }
}
