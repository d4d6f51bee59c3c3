package io.skep.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestSecretSettings {
    private final SecretSettings secrets = SecretSettings.ofList("hive.zookeeper.ssl.keystore.location, fs.s3.aws");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javax.jdo.option.ConnectionPassword",
                "fs.s3a.access.key",
                "fs.s3a.secret.key",
                "fs.s3a.session.token",
                "fs.s3a.encryption.key",
                "fs.azure.account.key.store.blob.core.windows.net",
                "fs.azure.sas.container.account",
                "fs.gs.auth.service.account.private.key",
                "hive.server2.authentication.ldap.bindpw",
                "fs.s3n.awsAccessKeyId",
                "fs.s3.awsAnything",
                "hive.zookeeper.ssl.keystore.location"
            })
    void secret(String name) {
        assertThat(secrets.isSecret(name)).isTrue();
        assertThat(secrets.redact(name, "x")).isEqualTo(SecretSettings.HIDDEN);
        assertThat(secrets.redact(name, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hive.server2.thrift.port",
                "fs.defaultFS",
                "hive.exec.parallel",
                "hive.zookeeper.quorum",
                "hive.conf.hidden.list",
                "dfs.datanode.data.dir"
            })
    void open(String name) {
        assertThat(secrets.isSecret(name)).isFalse();
        assertThat(secrets.redact(name, "x")).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h:5432/m?user=u&password=pw&ssl=true|"
                        + "jdbc:postgresql://h:5432/m?user=u&password=***&ssl=true",
                "jdbc:sqlserver://h;user=u;Password=pw;x=1|jdbc:sqlserver://h;user=u;Password=***;x=1",
                "postgresql://u:p:w@h/db|postgresql://u:***@h/db",
                "s3a://AKIA:sec%2Fret@bucket/x|s3a://AKIA:***@bucket/x",
                "jdbc:oracle:thin:scott/tiger@//h:1521/x|jdbc:oracle:thin:scott/***@//h:1521/x",
                "https://h/c?sv=1&sig=abc%3D&x=1|https://h/c?sv=1&sig=***&x=1",
                "-Xmx1g -Djavax.net.ssl.keyStorePassword=pw -Dx=y|-Xmx1g -Djavax.net.ssl.keyStorePassword=*** -Dx=y",
                "hdfs://nn:8020/user/a@b|hdfs://nn:8020/user/a@b",
                "a = b|a = b"
            })
    void redactsTexts(String text, String shown) {
        assertThat(SecretSettings.redacted(text)).isEqualTo(shown);
    }

    @Test
    @Timeout(60)
    void longTextsDoNotHoldItUp() {
        String text = "a = b " + "-Dpwd".repeat(20_000) + "x://".repeat(20_000);
        assertThat(SecretSettings.redacted(text)).isEqualTo(text);
    }

    @Test
    void redactsWithinMessages() {
        assertThat(SecretSettings.redacted("cannot reach jdbc:postgresql://h/m?password=pw: refused"))
                .doesNotContain("pw:")
                .contains("password=***");
    }
}
