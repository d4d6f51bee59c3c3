package io.skep.llap.client.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.llap.client.wire.FailureCodec;
import io.skep.reader.ReadErrorCode;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reader has errors of its own, which must be those of the server. */
final class TestReadFailures {
    private static ReadException received(byte[] failure) {
        ErrorFlightMetadata metadata = new ErrorFlightMetadata();
        metadata.insert(SplitRows.FAILURE, failure);
        CallStatus status = CallStatus.INTERNAL.withMetadata(metadata);
        return SplitRows.failure(status, status.toRuntimeException());
    }

    @ParameterizedTest
    @EnumSource
    void theReadersOwnErrorsAreThoseOfTheServer(ReadErrorCode code) {
        StandardErrorCode same = StandardErrorCode.valueOf(code.name());
        assertThat(code.number()).isEqualTo(same.code());
        assertThat(code.sqlState()).isEqualTo(same.sqlState());
    }

    @Test
    void anErrorArrivesWhole() {
        SkepException sent = new SkepException(StandardErrorCode.TABLE_NOT_FOUND, "Table not found 'peple'")
                .at(new TextPosition(2, 14))
                .withHint("did you mean people?");
        ReadException read = received(FailureCodec.encode(sent));
        assertThat(read).hasMessage(sent.fullMessage());
        assertThat(read.code()).isEqualTo("TABLE_NOT_FOUND");
        assertThat(read.number()).isEqualTo(10001);
        assertThat(read.sqlState()).isEqualTo("42S02");
        SkepException back = ReadFailures.asSkepException(read);
        assertThat(back.code()).isEqualTo(sent.code());
        assertThat(back.fullMessage()).isEqualTo(sent.fullMessage());
    }

    @Test
    void aDamagedErrorIsAnErrorToo() {
        assertThat(received(new byte[] {1, 2, 3}).code()).isEqualTo(ReadErrorCode.DAMAGED_MESSAGE.name());
    }
}
