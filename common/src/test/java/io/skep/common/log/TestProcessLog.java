package io.skep.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.bridge.SLF4JBridgeHandler;

final class TestProcessLog {
    /** The JDK's own handler writes to standard error in another form than the log's. */
    @Test
    void theOnlyHandlerOfJavaUtilLoggingIsTheBridge() {
        Logger root = LogManager.getLogManager().getLogger("");
        List<Handler> before = List.of(root.getHandlers());
        try {
            ProcessLog.start();
            ProcessLog.start();
            assertThat(root.getHandlers()).isNotEmpty().allMatch(SLF4JBridgeHandler.class::isInstance);
        } finally {
            Arrays.asList(root.getHandlers()).forEach(root::removeHandler);
            before.forEach(root::addHandler);
        }
    }
}
