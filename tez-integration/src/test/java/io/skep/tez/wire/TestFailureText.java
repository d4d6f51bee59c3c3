package io.skep.tez.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestFailureText {
    @Test
    void everythingComesBack() {
        SkepException failure = new SkepException(StandardErrorCode.INVALID_CAST, "no number: 'ä:]\n'")
                .at(new TextPosition(3, 14))
                .withHint("use try_cast")
                .about("host:1");
        SkepException found = FailureText.find(List.of("Vertex failed", "Task failed, " + FailureText.encode(failure)))
                .orElseThrow();
        assertThat(found.code()).isEqualTo(failure.code());
        assertThat(found.fullMessage()).isEqualTo(failure.fullMessage());
        assertThat(found.position()).contains(new TextPosition(3, 14));
        assertThat(found.subject()).contains("host:1");
    }

    @Test
    void theCauseCountsAndNotWhatWasCancelledInConsequence() {
        String cancelled = FailureText.encode(new SkepException(StandardErrorCode.OPERATION_CANCELED, "query ended"));
        String cause = FailureText.encode(new SkepException(StandardErrorCode.DISK_FULL, "full"));
        assertThat(FailureText.find(List.of(cancelled, cause)).orElseThrow().code())
                .isEqualTo(StandardErrorCode.DISK_FULL);
        assertThat(FailureText.find(List.of(cancelled)).orElseThrow().code())
                .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        assertThat(FailureText.find(List.of("something else"))).isEmpty();
    }
}
