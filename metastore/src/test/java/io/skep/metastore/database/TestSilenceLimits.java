package io.skep.metastore.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestSilenceLimits {
    @Test
    void whatTheSiteSaysIsKept() {
        assertThat(SilenceLimits.in("jdbc:postgresql://h/db"))
                .isEqualTo(
                        "jdbc:postgresql://h/db?socketTimeout=60&connectTimeout=10&loginTimeout=20&tcpKeepAlive=true");
        assertThat(SilenceLimits.in("jdbc:postgresql://h/db?sockettimeout=5&user=a"))
                .isEqualTo("jdbc:postgresql://h/db?sockettimeout=5&user=a&connectTimeout=10&loginTimeout=20"
                        + "&tcpKeepAlive=true");
        assertThat(SilenceLimits.in("jdbc:mysql://h/db?useSSL=true"))
                .isEqualTo("jdbc:mysql://h/db?useSSL=true&socketTimeout=60000&connectTimeout=10000&tcpKeepAlive=true");
        assertThat(SilenceLimits.in("jdbc:derby:folder")).isEqualTo("jdbc:derby:folder");
    }
}
