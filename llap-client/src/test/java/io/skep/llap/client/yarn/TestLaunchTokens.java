package io.skep.llap.client.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.security.client.RMDelegationTokenIdentifier;
import org.junit.jupiter.api.Test;

/** Tests the times of tokens. Tokens of a real HDFS with Kerberos are tested in itests. */
final class TestLaunchTokens {
    private static void add(Credentials credentials, String name, long issued, long end) {
        RMDelegationTokenIdentifier identifier =
                new RMDelegationTokenIdentifier(new Text("hive"), new Text("yarn"), new Text());
        identifier.setIssueDate(issued);
        identifier.setMaxDate(end);
        credentials.addToken(
                new Text(name),
                new Token<>(
                        identifier.getBytes(), new byte[] {1}, RMDelegationTokenIdentifier.KIND_NAME, new Text(name)));
    }

    private static ByteBuffer bytes(Credentials credentials) throws IOException {
        DataOutputBuffer bytes = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(bytes);
        return ByteBuffer.wrap(bytes.getData(), 0, bytes.getLength());
    }

    @Test
    void theFirstTokenThatEndsCounts() throws IOException {
        Credentials credentials = new Credentials();
        credentials.addToken(
                new Text("x"), new Token<>(new byte[] {7}, new byte[] {1}, new Text("odd"), new Text("x")));
        ByteBuffer none = bytes(credentials);
        assertThat(LaunchTokens.replacement(none)).isEmpty();
        add(credentials, "late", 0, 8000);
        add(credentials, "early", 1000, 5000);
        ByteBuffer tokens = bytes(credentials);
        int length = tokens.remaining();
        assertThat(LaunchTokens.replacement(tokens)).contains(Instant.ofEpochMilli(4000));
        assertThat(tokens.remaining()).isEqualTo(length);
        add(credentials, "earlier", 0, 1000);
        assertThat(LaunchTokens.replacement(bytes(credentials))).contains(Instant.ofEpochMilli(750));
    }

    @Test
    void bytesThatAreNoTokensAreRefused() {
        assertThatThrownBy(() -> LaunchTokens.replacement(ByteBuffer.wrap(new byte[] {1, 2})))
                .isInstanceOf(SkepException.class);
    }

    @Test
    void withoutKerberosThereAreNone() {
        assertThat(LaunchTokens.fetch(new Path("file:///tmp"), new Configuration(false)))
                .isEmpty();
    }
}
