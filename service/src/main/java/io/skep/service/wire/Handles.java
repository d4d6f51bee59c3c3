package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.hive.service.rpc.thrift.THandleIdentifier;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TOperationType;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.jspecify.annotations.Nullable;

/** The protocol's handles of sessions and operations. A handle is an identifier and the secret of the session. */
final class Handles {
    private static final int BYTES = 16;

    private Handles() {}

    static TSessionHandle of(ClientSession session) {
        return new TSessionHandle(new THandleIdentifier(bytes(session.id()), bytes(session.secret())));
    }

    static TOperationHandle of(ClientSession session, Operation operation, TOperationType type) {
        THandleIdentifier identifier = new THandleIdentifier(bytes(operation.id()), bytes(session.secret()));
        return new TOperationHandle(identifier, type, operation.schema().isPresent());
    }

    static UUID id(@Nullable THandleIdentifier identifier) {
        return uuid(given(identifier, "handle's identifier").getGuid());
    }

    static UUID secret(@Nullable THandleIdentifier identifier) {
        return uuid(given(identifier, "handle's identifier").getSecret());
    }

    private static ByteBuffer bytes(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        return bytes.putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .flip();
    }

    private static UUID uuid(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "a handle has " + BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** Returns a required part of a request. */
    static <T> T given(@Nullable T value, String what) {
        if (value == null) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the request has no " + what);
        }
        return value;
    }
}
