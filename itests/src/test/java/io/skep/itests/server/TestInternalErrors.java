package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests unforeseen failures. The log contains their stack trace under the identifier that the client's error message
 * names.
 */
@ExtendWith(SharedServer.class)
final class TestInternalErrors {
    private static final Pattern QUERY = Pattern.compile("skep_[0-9]+_[0-9a-f]{8}_[0-9]+");

    private final Log log = new Log();

    @Test
    void inCompileAndInTasks(TestServer server) throws Exception {
        Logger logger = Logger.getLogger("io.skep.service");
        logger.addAppender(log);
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE internal");
            statement.execute("CREATE TABLE internal.t STORED AS ORC AS SELECT 1 AS a");
            statement.execute("CREATE TEMPORARY FUNCTION failing AS '" + FailingFunction.class.getName() + "'");
            assertTold(statement, "SELECT failing() FROM internal.t", "broken in compile");
            assertTold(statement, "SELECT failing(a) FROM internal.t", "broken in a task");
            assertTold(statement, "SELECT count(failing(a)) FROM internal.t GROUP BY a", "broken in a task");
            statement.execute("SET skep.scheduler=tez");
            assertTold(statement, "SELECT failing(a) FROM internal.t", "broken in a task");
            statement.execute("DROP DATABASE internal CASCADE");
        } finally {
            logger.removeAppender(log);
        }
    }

    /**
     * A statement that nests deeper than a thread's stack is the user's error, and does not affect other statements.
     */
    @Test
    void nestedTooDeeply(TestServer server) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            String deep = "SELECT " + "(".repeat(20_000) + "1" + ")".repeat(20_000);
            SQLException failure = catchThrowableOfType(SQLException.class, () -> statement.execute(deep));
            assertThat(failure.getErrorCode()).isEqualTo(StandardErrorCode.NOT_SUPPORTED.code());
            assertThat(failure.getSQLState()).isEqualTo(StandardErrorCode.NOT_SUPPORTED.sqlState());
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
    }

    private void assertTold(Statement statement, String sql, String what) throws SQLException {
        log.lines.clear();
        SQLException failure = catchThrowableOfType(SQLException.class, () -> {
            try (var rows = statement.executeQuery(sql)) {
                rows.next();
            }
        });
        assertThat(failure.getErrorCode()).isEqualTo(StandardErrorCode.INTERNAL_ERROR.code());
        assertThat(failure.getSQLState()).isEqualTo(StandardErrorCode.INTERNAL_ERROR.sqlState());
        assertThat(failure.getMessage()).contains(what, "hint: ");
        Matcher name = QUERY.matcher(failure.getMessage());
        assertThat(name.find()).as(failure.getMessage()).isTrue();
        assertThat(log.lines)
                .anySatisfy(entry -> assertThat(entry).contains(name.group(), what, "FailingFunction.java"));
        assertThat(statement.execute("SELECT 1")).isTrue();
    }

    /** Collects logged messages with their stack traces. */
    private static final class Log extends AppenderSkeleton {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        protected void append(LoggingEvent event) {
            String[] trace = event.getThrowableStrRep();
            String all = trace == null ? "" : String.join("\n", trace);
            lines.add(event.getRenderedMessage() + "\n" + all);
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }
}
