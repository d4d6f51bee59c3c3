package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a daemon learns of a file that cannot be sent. A cancellation may arrive before the file's hash. */
final class TestFileUpload {
    private static final String HASH = "0".repeat(64);

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    private final class RecordingChannel extends Channel {
        @Override
        @SuppressWarnings("unchecked")
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            return (ClientCall<Q, A>) new RecordingCall();
        }

        @Override
        public String authority() {
            return "daemon";
        }
    }

    private final class RecordingCall extends ClientCall<byte[], byte[]> {
        @Override
        public void start(Listener<byte[]> listener, Metadata headers) {}

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            calls.add("cancel");
        }

        @Override
        public void halfClose() {
            calls.add("end");
        }

        @Override
        public void sendMessage(byte[] message) {
            calls.add(new String(message, StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aFileThatIsGoneEndsAfterItsHash() throws Exception {
        FileUpload.start(new RecordingChannel(), HASH, Optional.of(folder.resolve("gone")));
        assertThat(calls.poll(1, TimeUnit.MINUTES)).isEqualTo(HASH);
        assertThat(calls.poll(1, TimeUnit.MINUTES)).isEqualTo("end");
    }

    @Test
    void anUnknownFileEndsAfterItsHash() throws Exception {
        FileUpload.start(new RecordingChannel(), HASH, Optional.empty());
        assertThat(calls.poll(1, TimeUnit.MINUTES)).isEqualTo(HASH);
        assertThat(calls.poll(1, TimeUnit.MINUTES)).isEqualTo("end");
    }
}
