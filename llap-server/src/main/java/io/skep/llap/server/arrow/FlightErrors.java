package io.skep.llap.server.arrow;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.operator.Failures;
import io.skep.llap.client.wire.FailureCodec;
import io.skep.reader.SplitRows;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.apache.arrow.flight.FlightRuntimeException;

/** Errors as Arrow Flight has them. The whole error travels in the metadata, for readers that know it. */
public final class FlightErrors {
    /** Metadata of a call is limited, and a long text says no more. */
    private static final int MAX_CHARACTERS = 1000;

    private FlightErrors() {}

    public static FlightRuntimeException of(Throwable error) {
        SkepException failure = Failures.asSkepException(error);
        String text = failure.fullMessage();
        String cut = text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
        ErrorFlightMetadata metadata = new ErrorFlightMetadata();
        SkepException sent = text.length() <= MAX_CHARACTERS ? failure : new SkepException(failure.code(), cut);
        metadata.insert(SplitRows.FAILURE, FailureCodec.encode(sent));
        return status(failure.code())
                .withDescription(cut)
                .withMetadata(metadata)
                .toRuntimeException();
    }

    private static CallStatus status(StandardErrorCode code) {
        return switch (code) {
            case ACCESS_DENIED -> CallStatus.UNAUTHORIZED;
            case NOT_SUPPORTED -> CallStatus.UNIMPLEMENTED;
            case QUEUE_FULL, MEMORY_LIMIT_EXCEEDED -> CallStatus.RESOURCE_EXHAUSTED;
            case DAEMON_LOST, SERVER_DRAINING -> CallStatus.UNAVAILABLE;
            case OPERATION_CANCELED -> CallStatus.CANCELLED;
            case TIME_LIMIT_EXCEEDED -> CallStatus.TIMED_OUT;
            case TABLE_NOT_FOUND, DATABASE_NOT_FOUND -> CallStatus.NOT_FOUND;
            default ->
                switch (code.kind()) {
                    case USER -> CallStatus.INVALID_ARGUMENT;
                    case EXTERNAL, RESOURCES, INTERNAL -> CallStatus.INTERNAL;
                };
        };
    }
}
