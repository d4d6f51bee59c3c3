package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.llap.server.yarn.YarnState;
import io.skep.service.doctor.Finding.Grade;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the findings about a YARN cluster. Tests with daemons on YARN use a real one. */
@Timeout(120)
final class TestYarnCheck {
    @TempDir
    private Path folder;

    private static List<Finding> judge(
            int nodes, int bad, List<SkepException> refusals, String application, int ready) {
        Optional<String> id = application.isEmpty() ? Optional.empty() : Optional.of(application);
        YarnState state =
                new YarnState("host:8032", nodes, bad, refusals, "llap0", id, 2, ready, Optional.of("no memory"));
        return new YarnCheck(Optional.empty(), Optional.empty(), HadoopAccess.withoutLogin()).judge(state);
    }

    private static List<Grade> grades(List<Finding> findings) {
        return findings.stream().map(Finding::grade).toList();
    }

    private static YarnCheck check(Optional<String> hadoopConf, Optional<String> conf) {
        return new YarnCheck(hadoopConf, conf, HadoopAccess.withoutLogin());
    }

    @Test
    void whoNamesNoneNeedsNone() {
        assertThat(grades(
                        check(Optional.empty(), Optional.of(folder.toString())).run()))
                .containsExactly(Grade.NOTE);
    }

    @Test
    void resourceManagerThatIsAway() throws Exception {
        String closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "localhost:" + socket.getLocalPort();
        }
        Files.writeString(
                folder.resolve("yarn-site.xml"),
                "<configuration><property><name>yarn.resourcemanager.address</name><value>" + closed
                        + "</value></property></configuration>");
        List<Finding> findings =
                check(Optional.of(folder.toString()), Optional.empty()).run();
        assertThat(grades(findings)).containsExactly(Grade.FAILURE);
        assertThat(findings.getFirst().text()).contains(closed);
    }

    @Test
    void oneWithKerberosNeedsALogin() {
        Path missing = folder.resolve("missing.keytab");
        ServicePrincipal server = new ServicePrincipal("hive/localhost@EXAMPLE.ORG", "the.keytab", missing);
        HadoopAccess access = new HadoopAccess(Optional.of(server), new Configuration(false));
        List<Finding> findings = new YarnCheck(Optional.of(folder.toString()), Optional.empty(), access).run();
        assertThat(grades(findings)).containsExactly(Grade.FAILURE);
        assertThat(findings.getFirst().text()).contains("the.keytab is '" + missing + "', which does not exist");
    }

    @Test
    void eachThatIsWrongIsNamed() {
        assertThat(grades(judge(3, 0, List.of(), "application_1_1", 2))).containsExactly(Grade.OK, Grade.OK);
        assertThat(grades(judge(0, 2, List.of(), "", 0))).containsExactly(Grade.FAILURE, Grade.WARNING, Grade.NOTE);
        SkepException refusal = new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "no queue q");
        List<Finding> refused = judge(3, 0, List.of(refusal), "application_1_1", 1);
        assertThat(grades(refused)).containsExactly(Grade.OK, Grade.FAILURE, Grade.WARNING);
        assertThat(refused.get(1).text()).contains("no queue q");
        assertThat(refused.getLast().text()).contains("1 of 2 daemons", "no memory");
    }
}
