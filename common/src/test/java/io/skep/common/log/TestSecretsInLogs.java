package io.skep.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

final class TestSecretsInLogs {
    private static final String URL = "jdbc:postgresql://h/db?user=u&password=pl4nted";

    @Test
    void neitherLinesNorTracesSayThem() {
        Throwable cause = new IllegalStateException("cannot reach postgresql://u:pl4nted@h/db");
        Throwable failure = new IllegalArgumentException(URL, cause);
        LoggingEvent event = new LoggingEvent("x", Logger.getLogger("x"), Level.WARN, "using " + URL + " now", failure);
        String text = new SecretsInLogs.Redacted(new PatternLayout("%p %m%n")).format(event);
        assertThat(text)
                .doesNotContain("pl4nted")
                .startsWith("WARN using jdbc:postgresql://h/db?user=u&password=*** now")
                .contains("IllegalArgumentException", "Caused by: java.lang.IllegalStateException", "u:***@h/db");
    }
}
