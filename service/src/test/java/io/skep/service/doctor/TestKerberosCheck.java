package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.testing.TestingKdc;
import io.skep.common.config.SettingsReader;
import io.skep.service.doctor.Finding.Grade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks what logins by Kerberos need. The doctor must report it with its remedy. */
final class TestKerberosCheck {
    @TempDir
    private Path folder;

    private static List<Finding> examine(Map<String, String> site) {
        SettingsReader reader = new SettingsReader(site);
        AuthenticationConfig config = AuthenticationConfig.of(reader, true);
        reader.finish();
        return new KerberosCheck(config).run();
    }

    @Test
    void keytabAndPrincipalAreChecked() throws Exception {
        assertThat(examine(Map.of())).extracting(Finding::grade).containsExactly(Grade.NOTE);
        try (TestingKdc kdc = TestingKdc.start(folder)) {
            Map<String, String> site = kdc.server();
            assertThat(examine(site)).extracting(Finding::grade).containsExactly(Grade.OK);
            Path keytab = Path.of(site.get("hive.server2.authentication.kerberos.keytab"));
            Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-r--r--"));
            List<Finding> open = examine(site);
            assertThat(open).extracting(Finding::grade).containsExactly(Grade.FAILURE);
            assertThat(open.getFirst().remedy()).contains("chmod 600 " + keytab);
            Files.delete(keytab);
            assertThat(examine(site)).extracting(Finding::grade).containsExactly(Grade.FAILURE);
        }
    }

    @Test
    void rulesNeedTheDefaultRealm() throws Exception {
        Path conf = Files.writeString(folder.resolve("none.conf"), "[libdefaults]\n");
        try (TestingKdc kdc = TestingKdc.start(folder)) {
            Map<String, String> site = kdc.server();
            kdc.useConf(conf);
            assertThat(examine(site)).extracting(Finding::grade).containsExactly(Grade.OK, Grade.FAILURE);
        }
    }
}
