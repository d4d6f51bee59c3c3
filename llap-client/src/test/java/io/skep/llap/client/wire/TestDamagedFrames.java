package io.skep.llap.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Messages that protobuf can parse, or almost, and that no honest process sends. */
final class TestDamagedFrames {
    @Test
    void numbersThatMustNotBeNegativeAreRefused() {
        assertDamaged(message(DaemonProto.Task.newBuilder().setPartitionCount(1).setDrivers(-1)));
        assertDamaged(message(DaemonProto.Task.newBuilder().setPartitionCount(1).addMirroredJoins(-1)));
        assertDamaged(message(DaemonProto.Task.newBuilder()
                .setPartitionCount(1)
                .addSplits(DaemonProto.ScanSplits.newBuilder().setScan(-1))));
    }

    @Test
    void aTaskThatReadsNoPartitionIsRefused() {
        assertDamaged(message(DaemonProto.Task.newBuilder().setPartitionCount(0)));
    }

    @Test
    void referencesToPartsThatAreNotThereAreRefused() {
        for (int index : new int[] {-1, 1, Integer.MAX_VALUE}) {
            assertDamaged(
                    message(DaemonProto.Task.newBuilder().setPartitionCount(1).setQuery(index)));
            assertDamaged(
                    message(DaemonProto.Task.newBuilder().setPartitionCount(1).setInputs(index)));
        }
    }

    @Test
    void framesOfUnknownKindAreRefused() {
        assertDamaged(DaemonProto.ClientMessage.newBuilder()
                .addFrames(DaemonProto.ClientFrame.newBuilder().setCall(1))
                .build());
    }

    private static DaemonProto.ClientMessage message(DaemonProto.Task.Builder task) {
        return DaemonProto.ClientMessage.newBuilder()
                .addQueries(DaemonProto.Query.newBuilder().setId("q_1").setPlan("plan"))
                .addInputs(DaemonProto.Inputs.getDefaultInstance())
                .addFrames(DaemonProto.ClientFrame.newBuilder().setSubmit(task))
                .build();
    }

    private static void assertDamaged(DaemonProto.ClientMessage message) {
        assertDamaged(() -> FrameCodec.decodeClient(message.toByteArray()));
    }

    private static void assertDamaged(ThrowingCallable decode) {
        assertThatThrownBy(decode)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DAMAGED_MESSAGE));
    }

    /** A field that claims 2 GB. */
    @Test
    void lengthsBeyondTheEndAreRefused() {
        byte[] message = {0x0A, -1, -1, -1, -1, 7, 0};
        assertDamaged(() -> FrameCodec.decodeClient(message));
        assertDamaged(() -> FrameCodec.decodeDaemon(message));
        assertDamaged(() -> ReaderFrameCodec.decode(message));
        assertDamaged(() -> IdentityCodec.decode(message));
        assertDamaged(() -> FailureCodec.decode(message));
        assertDamaged(() -> PageFrameCodec.decodePages(new byte[] {1, 1, -1, -1, -1, -1, 7, 0}));
    }
}
