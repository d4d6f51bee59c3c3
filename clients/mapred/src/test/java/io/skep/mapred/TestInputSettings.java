package io.skep.mapred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestInputSettings {
    private static Configuration job() {
        Configuration job = new Configuration(false);
        job.set("llap.if.hs2.connection", "jdbc:hive2://host:10000/");
        job.set("llap.if.query", "select 1");
        return job;
    }

    @Test
    void thePasswordMayBeInACredentialProvider(@TempDir Path folder) throws Exception {
        Configuration job = job();
        job.set("hadoop.security.credential.provider.path", "localjceks://file" + folder.resolve("keys"));
        CredentialProvider provider =
                CredentialProviderFactory.getProviders(job).get(0);
        provider.createCredentialEntry("llap.if.pwd", "planted".toCharArray());
        provider.flush();
        InputSettings settings = InputSettings.of(job);
        assertThat(settings.password()).isEqualTo("planted");
        assertThat(settings.toString()).doesNotContain("planted");
    }

    @Test
    void whatIsMissingOrCannotBeFollowedIsNamed() {
        Configuration noQuery = job();
        noQuery.unset("llap.if.query");
        assertThatThrownBy(() -> InputSettings.of(noQuery))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("llap.if.query");
        Configuration commands = job();
        commands.set("llap.session.queries.for.get.num.splits", "set a.b=1, drop table t");
        assertThatThrownBy(() -> InputSettings.of(commands))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("drop table t");
        Configuration otherFormat = job();
        otherFormat.setBoolean("llap.if.use.new.split.format", true);
        assertThatThrownBy(() -> InputSettings.of(otherFormat))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("llap.if.use.new.split.format");
    }
}
