package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.testing.TestingKdc;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.service.doctor.Finding.Grade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks what the server's own login needs. The doctor must report it with its remedy. */
final class TestHadoopLoginCheck {
    private static final String SETTING = "hive.server2.authentication.kerberos.keytab";

    @TempDir
    private Path folder;

    private static Finding examine(String principal, Path keytab) {
        List<Finding> findings =
                new HadoopLoginCheck(Optional.of(new ServicePrincipal(principal, SETTING, keytab))).run();
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    private static void fails(String principal, Path keytab, String text, String remedy) {
        Finding finding = examine(principal, keytab);
        assertThat(finding.grade()).isEqualTo(Grade.FAILURE);
        assertThat(finding.text()).contains(SETTING, keytab.toString(), text);
        assertThat(finding.remedy().orElseThrow()).contains(remedy);
    }

    @Test
    void keytabPrincipalAndKdcAreChecked() throws Exception {
        assertThat(new HadoopLoginCheck(Optional.empty()).run())
                .extracting(Finding::grade)
                .containsExactly(Grade.NOTE);
        try (TestingKdc kdc = TestingKdc.start(folder)) {
            String skep = TestingKdc.SERVER;
            Path keytab = kdc.keytab("skep", skep);
            Finding fine = examine(skep, keytab);
            assertThat(fine.grade()).as(fine.text()).isEqualTo(Grade.OK);
            assertThat(fine.text()).contains(skep);
            assertThat(UserGroupInformation.isSecurityEnabled())
                    .as("Hadoop is left alone")
                    .isFalse();
            fails("hive/other@" + TestingKdc.REALM, keytab, "has no key for hive/other@", "klist -kte " + keytab);
            Path old = Files.copy(keytab, folder.resolve("old.keytab"));
            Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));
            fails(skep, old, "is open to other users", "chmod 600 " + old);
            Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-------"));
            kdc.changeKeys(skep);
            fails(skep, old, skep + " cannot log in with", "the keys in the file are old");
            kdc.delete(skep);
            fails(skep, old, skep + " cannot log in with", "create the principal");
        }
    }
}
