package io.skep.llap.client.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenIdentifier;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Delegation tokens of a file system, with which YARN's nodes fetch the files of a container, in the form of a launch
 * context. The resource manager renews those of an application master until their maximum lifetime.
 */
public final class LaunchTokens {
    private LaunchTokens() {}

    /**
     * Asks a file system for tokens of this process's user. Empty where Hadoop has no Kerberos.
     *
     * @param path a path in the file system
     * @throws SkepException INVALID_CONFIGURATION without the resource manager's principal; KERBEROS_ERROR when the
     *     file system gives no token
     */
    public static Optional<ByteBuffer> fetch(Path path, Configuration cluster) {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return Optional.empty();
        }
        try {
            Credentials credentials = new Credentials();
            FileSystem.get(path.toUri(), cluster).addDelegationTokens(renewer(cluster), credentials);
            DataOutputBuffer bytes = new DataOutputBuffer();
            credentials.writeTokenStorageToStream(bytes);
            return Optional.of(ByteBuffer.wrap(Arrays.copyOf(bytes.getData(), bytes.getLength())));
        } catch (IOException e) {
            throw new SkepException(
                            StandardErrorCode.KERBEROS_ERROR,
                            "the file system of " + path + " gives no delegation token: " + e.getMessage(),
                            e)
                    .withHint("the process has to be logged in with a ticket, not with a token");
        }
    }

    private static String renewer(Configuration cluster) throws IOException {
        String principal = YarnClientUtils.getRmPrincipal(cluster);
        if (principal == null || principal.isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            YarnConfiguration.RM_PRINCIPAL + " is not set, and Hadoop has Kerberos")
                    .withHint("point --conf at a folder with the cluster's yarn-site.xml");
        }
        return principal;
    }

    /**
     * Returns when new tokens have to take the place of these: three quarters into the maximum lifetime of the first
     * that ends. Nobody can renew a token beyond it.
     *
     * @param tokens those of a launch context, which stay as they are
     * @return empty when none of them ends
     */
    public static Optional<Instant> replacement(ByteBuffer tokens) {
        try (DataInputByteBuffer in = new DataInputByteBuffer()) {
            in.reset(tokens.duplicate());
            Credentials credentials = new Credentials();
            credentials.readTokenStorageStream(in);
            Optional<Instant> first = Optional.empty();
            for (Token<?> token : credentials.getAllTokens()) {
                if (token.decodeIdentifier() instanceof AbstractDelegationTokenIdentifier known) {
                    Instant replaced = Instant.ofEpochMilli(known.getIssueDate())
                            .plusMillis((known.getMaxDate() - known.getIssueDate()) / 4 * 3);
                    first = first.filter(replaced::isAfter).or(() -> Optional.of(replaced));
                }
            }
            return first;
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INTERNAL_ERROR, "an application's tokens cannot be read: " + e.getMessage(), e);
        }
    }
}
