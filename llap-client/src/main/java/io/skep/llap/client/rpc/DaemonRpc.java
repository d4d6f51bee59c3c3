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

/** The calls of a daemon. Messages are bytes here; io.skep.llap.client.wire says what is in them. */
public final class DaemonRpc {
    public static final String SERVICE = "skep.llap.Daemon";

    /** Of the first message of a connection, which is nobody's yet. */
    public static final int MAX_GREETING_BYTES = 1024;

    /** Of a plan, or of what is sent with a task. */
    static final long MAX_PLAN_BYTES = 64L << 20;

    /** The first call of a connection: a challenge for the daemon; a greeting comes back. */
    public static final MethodDescriptor<byte[], byte[]> GREET =
            method("Greet", MethodType.UNARY, DaemonRpc.MAX_GREETING_BYTES);

    /** What a connection is there for: frames in both directions as long as it lasts. */
    public static final MethodDescriptor<byte[], byte[]> CONTROL = method("Control", MethodType.BIDI_STREAMING);

    /** All outputs that are read over the connection: who reads opens streams of pages, and pages of all of them come back. */
    public static final MethodDescriptor<byte[], byte[]> PAGES = method("Pages", MethodType.BIDI_STREAMING);

    /** As PAGES, the other way round: whoever has been connected to reads outputs of the daemon that has connected. */
    public static final MethodDescriptor<byte[], byte[]> PAGES_BACK = method("PagesBack", MethodType.BIDI_STREAMING);

    /** A file that the daemon has asked for: its hash, then its pieces. */
    public static final MethodDescriptor<byte[], byte[]> PUT = method("Put", MethodType.CLIENT_STREAMING);

    /** Answers the greeting's challenge. */
    public static final Metadata.Key<byte[]> PROOF = Metadata.Key.of("skep-proof-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Which daemon has connected; servers are none. The proof covers it. */
    public static final Metadata.Key<byte[]> CLIENT =
            Metadata.Key.of("skep-client-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** The error that a call has ended with. */
    public static final Metadata.Key<byte[]> FAILURE =
            Metadata.Key.of("skep-failure-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Bytes of a call that may be under way before this process has taken them. */
    public static final int STREAM_WINDOW_BYTES = 512 << 10;

    /** Errors travel as metadata, with messages of any sensible length. */
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

    /** Messages are the bytes themselves; no more of one is read than is allowed. */
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

    /** gRPC reads it into its buffers at once, for it says how long it is. */
    private static final class Message extends ByteArrayInputStream implements KnownLength {
        Message(byte[] message) {
            super(message);
        }
    }
}
