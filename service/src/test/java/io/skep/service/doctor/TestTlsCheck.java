package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.tls.TlsConfig;
import io.skep.common.config.SettingsReader;
import io.skep.common.testing.SelfSigned;
import io.skep.service.doctor.Finding.Grade;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks the key for TLS. The doctor must report it with its remedy, and without its password. */
final class TestTlsCheck {
    @TempDir
    private Path folder;

    private static Finding examine(Map<String, String> site) {
        SettingsReader reader = new SettingsReader(site);
        TlsConfig config = TlsConfig.of(reader);
        reader.finish();
        Configuration hadoop = new Configuration(false);
        site.forEach(hadoop::set);
        InstantSource clock = InstantSource.fixed(Instant.now());
        List<Finding> findings = new TlsCheck("TLS", config, hadoop, clock).run();
        assertThat(findings).hasSize(1);
        assertThat(findings.getFirst().toString()).doesNotContain("S3CRET");
        return findings.getFirst();
    }

    private static Map<String, String> site(Path keystore) {
        return new HashMap<>(Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                keystore.toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD));
    }

    private SelfSigned certificate(String from, int days) throws Exception {
        return SelfSigned.make(folder.resolve(days + from + ".p12"), from, days);
    }

    @Test
    void keysAreGradedByTheirValidity() throws Exception {
        assertThat(examine(Map.of()).grade()).isEqualTo(Grade.NOTE);
        assertThat(examine(site(certificate("-1d", 300).file())).grade()).isEqualTo(Grade.OK);
        assertThat(examine(site(certificate("-1d", 20).file())).grade()).isEqualTo(Grade.WARNING);
        Finding expired = examine(site(certificate("-20d", 10).file()));
        assertThat(expired.grade()).isEqualTo(Grade.FAILURE);
        assertThat(expired.text()).contains("was valid until");
        assertThat(expired.remedy())
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("renew"));
        assertThat(examine(site(certificate("+2d", 10).file())).text()).contains("is valid from");
    }

    @Test
    void filesAndPasswordsThatAreWrongAreNamed() throws Exception {
        Finding missing = examine(site(folder.resolve("nothing.p12")));
        assertThat(missing.grade()).isEqualTo(Grade.FAILURE);
        assertThat(missing.text()).contains("hive.server2.keystore.path", "not there");
        Map<String, String> wrong = site(certificate("-1d", 300).file());
        wrong.put("hive.server2.keystore.password", "S3CRET-wrong");
        assertThat(examine(wrong).text()).contains("hive.server2.keystore.password is not the password");
    }
}
