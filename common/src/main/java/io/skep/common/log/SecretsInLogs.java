package io.skep.common.log;

import io.skep.common.error.SecretText;
import java.util.Enumeration;
import org.apache.log4j.Appender;
import org.apache.log4j.Layout;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Removes the passwords of URLs from everything that a process logs, including stack traces and messages of libraries.
 */
public final class SecretsInLogs {
    private SecretsInLogs() {}

    /** Wraps the appenders that the process's logging is configured with. Called once, at the process's start. */
    public static void hide() {
        hide(LogManager.getRootLogger());
        Enumeration<?> loggers = LogManager.getCurrentLoggers();
        while (loggers.hasMoreElements()) {
            if (loggers.nextElement() instanceof Logger logger) {
                hide(logger);
            }
        }
    }

    private static void hide(Logger logger) {
        Enumeration<?> appenders = logger.getAllAppenders();
        while (appenders.hasMoreElements()) {
            if (appenders.nextElement() instanceof Appender appender
                    && appender.getLayout() != null
                    && !(appender.getLayout() instanceof Redacted)) {
                appender.setLayout(new Redacted(appender.getLayout()));
            }
        }
    }

    /** Writes stack traces itself, because appenders write them unchanged. */
    static final class Redacted extends Layout {
        private final Layout plain;

        Redacted(Layout plain) {
            this.plain = plain;
        }

        @Override
        public String format(LoggingEvent event) {
            StringBuilder text = new StringBuilder(plain.format(event));
            String[] trace = event.getThrowableStrRep();
            if (plain.ignoresThrowable() && trace != null) {
                for (String line : trace) {
                    text.append(line).append(LINE_SEP);
                }
            }
            return SecretText.redact(text.toString());
        }

        @Override
        public boolean ignoresThrowable() {
            return false;
        }

        @Override
        public String getContentType() {
            return plain.getContentType();
        }

        @Override
        public String getHeader() {
            return plain.getHeader();
        }

        @Override
        public String getFooter() {
            return plain.getFooter();
        }

        @Override
        public void activateOptions() {
            plain.activateOptions();
        }
    }
}
