package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.doctor.Finding.Grade;
import io.skep.tez.session.TezConfig;
import io.skep.tez.session.TezYarnState;
import io.skep.tez.session.TezYarnState.Shuffle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the findings about a YARN cluster for Tez. Tests with queries in containers use a real one. */
@Timeout(120)
final class TestTezCheck {
    private static TezCheck check(Map<String, String> site) {
        return new TezCheck(TezConfig.of(new SettingsReader(site)), site, HadoopAccess.withoutLogin());
    }

    private static List<Finding> judge(List<SkepException> refusals, Optional<Shuffle> shuffle) {
        return check(Map.of("hive.server2.tez.default.queues", "one,two")).judge(new TezYarnState(refusals, shuffle));
    }

    private static List<Grade> grades(List<Finding> findings) {
        return findings.stream().map(Finding::grade).toList();
    }

    @Test
    void resourceManagerThatIsAway() throws Exception {
        String closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "localhost:" + socket.getLocalPort();
        }
        List<Finding> findings = check(Map.of(
                        "tez.local.mode",
                        "false",
                        "fs.defaultFS",
                        "hdfs://" + closed,
                        "yarn.resourcemanager.address",
                        closed))
                .run();
        assertThat(grades(findings)).containsExactly(Grade.FAILURE);
        assertThat(findings.getFirst().text()).contains(closed);
    }

    @Test
    void healthyYarn() {
        assertThat(judge(List.of(), Optional.empty()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).contains("one, two"));
        assertThat(grades(judge(List.of(), Optional.of(new Shuffle("shuffle", 3, List.of(), List.of())))))
                .containsExactly(Grade.OK, Grade.OK);
    }

    @Test
    void eachThatIsWrongIsNamed() {
        SkepException refusal = new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "no queue two");
        SkepException silent = new SkepException(StandardErrorCode.YARN_ERROR, "the node n9 does not tell");
        List<String> without = List.of("n1", "n2", "n3", "n4", "n5", "n6", "n7");
        List<Finding> findings =
                judge(List.of(refusal), Optional.of(new Shuffle("shuffle", 0, without, List.of(silent))));
        assertThat(grades(findings)).containsExactly(Grade.FAILURE, Grade.FAILURE, Grade.WARNING);
        assertThat(findings.get(0).text()).contains("no queue two");
        assertThat(findings.get(1).text()).contains("shuffle", "n1, n2, n3, n4, n5 and 2 more");
        assertThat(findings.get(1).remedy().orElseThrow()).contains("yarn.nodemanager.aux-services=shuffle");
        assertThat(findings.get(2).text()).contains("n9");
    }
}
