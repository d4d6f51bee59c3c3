package io.skep.ql.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TestSessionMemory {
    private static final long MB = 1 << 20;

    private final SessionMemory.Shared shared = new SessionMemory.Shared(10 * MB);

    @Test
    void eachSessionHasItsLimitAndAllTogetherHaveOne() {
        SessionMemory first = new SessionMemory(shared);
        SessionMemory second = new SessionMemory(shared);
        first.keep("a", 7 * MB);
        refused(() -> first.keep("b", 2 * MB));
        refused(() -> second.keep("a", 4 * MB));
        second.keep("a", SessionMemory.OWN_BYTES / 2);
        first.close();
        second.keep("b", 7 * MB);
        refused(() -> first.keep("c", MB));
    }

    /** A session has room for the usual amount, no matter how much other sessions keep. */
    @Test
    void theOwnPartOfASessionIsNotCounted() {
        new SessionMemory(shared).keep("a", 7 * MB);
        new SessionMemory(shared).keep("a", 3 * MB + 2 * SessionMemory.OWN_BYTES - 1000);
        SessionMemory own = new SessionMemory(shared);
        own.keep("a", SessionMemory.OWN_BYTES / 2);
        refused(() -> own.keep("b", SessionMemory.OWN_BYTES));
        own.keep("a", SessionMemory.OWN_BYTES / 4);
    }

    @Test
    void whatIsReplacedOrForgottenIsGivenBack() {
        SessionMemory memory = new SessionMemory(shared);
        for (int i = 0; i < 100; i++) {
            memory.keep("a", 3 * MB);
            memory.forget("a");
            memory.forget("a");
            memory.keep("b", i * MB / 20);
        }
        assertThat(shared.bytes()).isLessThan(5 * MB).isPositive();
        memory.close();
        assertThat(shared.bytes()).isZero();
    }

    @Test
    void settingsAndVariablesAreCounted() {
        SessionSettings settings = new SessionSettings(KnownSettings.NONE, Map.of("hive.local.time.zone", "UTC"));
        String large = "x".repeat((int) (SessionMemory.MAX_BYTES / 2));
        settings.set("my.setting", large);
        refused(() -> settings.setVariable("v", large));
        assertThat(settings.variables()).isEmpty();
        settings.set("my.setting", "small");
        settings.setVariable("v", large);
        refused(() -> settings.set("my.setting", large));
        assertThat(settings.get("my.setting")).contains("small");
        settings.setVariable("v", "small");
        settings.set("my.setting", large);
        settings.resetAll();
        settings.set("other.setting", large);
    }

    private static void refused(ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
    }
}
