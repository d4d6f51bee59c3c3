package io.skep.llap.client.rpc;

import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The RPC methods of a daemon. Messages are bytes here; io.skep.llap.client.wire defines their content. */
public final class DaemonRpc {
    public static final String SERVICE = "skep.llap.Daemon";

    /** The limit of the first message of a connection, whose sender is not authenticated yet. */
    public static final int MAX_GREETING_BYTES = 1024;

    /** The limit of a plan, or of the splits sent with a task. */
    static final long MAX_PLAN_BYTES = 64L << 20;

    /** The first call of a connection. It sends a challenge to the daemon and receives a greeting. */
    public static final MethodDescriptor<byte[], byte[]> GREET =
            method("Greet", MethodType.UNARY, DaemonRpc.MAX_GREETING_BYTES);

    /** The call that a connection exists for. It carries frames in both directions as long as the connection lasts. */
    public static final MethodDescriptor<byte[], byte[]> CONTROL = method("Control", MethodType.BIDI_STREAMING);

    /**
     * Carries all outputs that are read over the connection. The reader opens streams of pages, and the pages of all
     * streams come back.
     */
    public static final MethodDescriptor<byte[], byte[]> PAGES = method("Pages", MethodType.BIDI_STREAMING);

    /**
     * Does the same as PAGES in the other direction: the daemon that was connected to reads outputs of the daemon that
     * has connected.
     */
    public static final MethodDescriptor<byte[], byte[]> PAGES_BACK = method("PagesBack", MethodType.BIDI_STREAMING);

    /** Sends a file that the daemon has requested: its hash, then its pieces. */
    public static final MethodDescriptor<byte[], byte[]> PUT = method("Put", MethodType.CLIENT_STREAMING);

    /** The answer to the greeting's challenge. */
    public static final Metadata.Key<byte[]> PROOF = Metadata.Key.of("skep-proof-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** The identity of the daemon that has connected; absent for servers. The proof covers it. */
    public static final Metadata.Key<byte[]> CLIENT =
            Metadata.Key.of("skep-client-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** The error that a call has failed with. */
    public static final Metadata.Key<byte[]> FAILURE =
            Metadata.Key.of("skep-failure-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Bytes of a call that may be under way before this process has read them. */
    public static final int STREAM_WINDOW_BYTES = 512 << 10;

    /** Errors travel as metadata, with messages of any reasonable length. */
    static final int MAX_METADATA_BYTES = 4 << 20;

    private DaemonRpc() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return method(name, type, Integer.MAX_VALUE);
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type, int maxRequestBytes) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(new Bytes(maxRequestBytes))
                .setResponseMarshaller(new Bytes(Integer.MAX_VALUE))
                .build();
    }

    /** Passes messages through as bytes. Reads no more of a message than its limit. */
    private record Bytes(int maxBytes) implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new Message(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                byte[] message =
                        maxBytes == Integer.MAX_VALUE ? stream.readAllBytes() : stream.readNBytes(maxBytes + 1);
                if (message.length > maxBytes) {
                    throw Status.RESOURCE_EXHAUSTED
                            .withDescription("a message of more than " + maxBytes + " bytes")
                            .asRuntimeException();
                }
                return message;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A stream of known length, which gRPC reads into its buffers at once. */
    private static final class Message extends ByteArrayInputStream implements KnownLength {
        Message(byte[] message) {
            super(message);
        }
    }
}
