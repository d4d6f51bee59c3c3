package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hive.conf.HiveConf;
import org.junit.jupiter.api.Test;

final class TestHttpConfig {
    private static HttpConfig config(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        HttpConfig config = HttpConfig.of(reader);
        reader.finish();
        return config;
    }

    @Test
    void namesAndDefaultsAreThoseOfHive() {
        for (var property : HttpConfig.PROPERTIES) {
            if (property.name().startsWith(KnownSettings.OWN)) {
                continue;
            }
            HiveConf.ConfVars hives = HiveConf.getConfVars(property.name());
            String value = hives.getDefaultValue();
            assertThat(property.defaultValue()).as(property.name()).isEqualTo(value == null ? "" : value);
        }
        assertThat(config(Map.of()).maxIdle()).isEqualTo(Duration.ofMinutes(30));
        assertThat(config(Map.of()).clientPath()).isEqualTo("cliservice");
    }

    @Test
    void pathsMayHaveHivesForms() {
        for (String path : new String[] {"a/b", "/a/b", "a/b/", "/a/b/*"}) {
            HttpConfig config = config(Map.of("hive.server2.thrift.http.path", path));
            assertThat(config.path()).isEqualTo("/a/b");
            assertThat(config.isOwn("/a/b/")).isTrue();
            assertThat(config.isOwn("/a/bc")).isFalse();
        }
        assertThat(config(Map.of("hive.server2.thrift.http.path", "/*")).isOwn("/"))
                .isTrue();
    }

    @Test
    void whatWouldBreakAHeaderIsRefused() {
        Map<String, String> wrong = Map.of(
                "hive.server2.thrift.http.path", "a b",
                "hive.server2.thrift.http.cookie.domain", "a;Secure",
                "hive.server2.thrift.http.cookie.path", "/\r\nX: y",
                "hive.server2.thrift.http.cookie.max.age", "999999999999d",
                "hive.server2.thrift.http.max.idle.time", "999999999999d",
                "hive.server2.thrift.http.request.header.size", "1000000",
                "hive.server2.thrift.http.port", "70000");
        assertThatThrownBy(() -> config(wrong))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> wrong.keySet()
                                .forEach(name -> assertThat(e.getMessage()).contains(name + ": ")));
    }
}
