package io.skep.service.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * Thrift's binary protocol without trust in claimed lengths. Values are checked against the remaining bytes of the
 * message, and the nesting of containers is limited. Notifies the transport when a call was read and when its answer
 * begins.
 */
final class RequestProtocol extends TBinaryProtocol {
    /** The calls of HiveServer2 nest six levels deep. */
    static final int MAX_DEPTH = 64;

    /** A generous estimate for a String with its array, in addition to the bytes. */
    private static final int TEXT_BYTES = 64;

    private static final int REFERENCE_BYTES = 8;

    /** The size of a map's node and its slot in the table. */
    private static final int ENTRY_BYTES = 64;

    private final ClientTransport client;
    private int depth;
    private boolean failed;

    RequestProtocol(ClientTransport client) {
        super(client);
        this.client = client;
    }

    /** Returns a call of a method that does not exist, which the server answers. */
    static byte[] question() {
        byte[] name = "Alive".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(4 + 4 + name.length + 4 + 1)
                .putInt(VERSION_1 | TMessageType.CALL)
                .putInt(name.length)
                .put(name)
                .putInt(0)
                .put(TType.STOP)
                .array();
    }

    @Override
    public TMessage readMessageBegin() throws TException {
        depth = 0;
        failed = false;
        client.awaitMessage();
        return super.readMessageBegin();
    }

    @Override
    public void readMessageEnd() throws TException {
        super.readMessageEnd();
        client.messageRead();
    }

    @Override
    public void writeMessageBegin(TMessage message) throws TException {
        client.beginAnswer();
        super.writeMessageBegin(message);
    }

    /**
     * Whether the last read exceeded a limit. Without frames, the start of the next message cannot be found after that.
     */
    boolean hasFailed() {
        return failed;
    }

    @Override
    public String readString() throws TException {
        return readStringBody(readI32());
    }

    @Override
    public String readStringBody(int size) throws TException {
        byte[] bytes = bytes(size);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public ByteBuffer readBinary() throws TException {
        return ByteBuffer.wrap(bytes(readI32()));
    }

    private byte[] bytes(int size) throws TException {
        try {
            byte[] bytes = client.readBytes(size);
            client.charge(1, 0, TEXT_BYTES + size);
            return bytes;
        } catch (TProtocolException e) {
            failed = true;
            throw e;
        }
    }

    @Override
    public TStruct readStructBegin() throws TException {
        deeper();
        return super.readStructBegin();
    }

    @Override
    public void readStructEnd() {
        depth--;
    }

    @Override
    public TList readListBegin() throws TException {
        byte type = readByte();
        int size = readI32();
        claim(size, leastBytes(type), REFERENCE_BYTES);
        deeper();
        return new TList(type, size);
    }

    @Override
    public void readListEnd() {
        depth--;
    }

    @Override
    public TSet readSetBegin() throws TException {
        byte type = readByte();
        int size = readI32();
        claim(size, leastBytes(type), ENTRY_BYTES);
        deeper();
        return new TSet(type, size);
    }

    @Override
    public void readSetEnd() {
        depth--;
    }

    @Override
    public TMap readMapBegin() throws TException {
        byte keys = readByte();
        byte values = readByte();
        int size = readI32();
        claim(size, leastBytes(keys) + leastBytes(values), ENTRY_BYTES);
        deeper();
        return new TMap(keys, values, size);
    }

    @Override
    public void readMapEnd() {
        depth--;
    }

    private void claim(int count, int leastBytes, long heapBytes) throws TProtocolException {
        try {
            client.charge(count, leastBytes, heapBytes);
        } catch (TProtocolException e) {
            failed = true;
            throw e;
        }
    }

    private void deeper() throws TProtocolException {
        depth++;
        if (depth > MAX_DEPTH) {
            failed = true;
            throw new TProtocolException(
                    TProtocolException.DEPTH_LIMIT, "values nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    /** Returns the minimum number of bytes of a value of a type in a message. */
    private static int leastBytes(byte type) {
        return switch (type) {
            case TType.I16 -> Short.BYTES;
            case TType.I32, TType.STRING -> Integer.BYTES;
            case TType.I64, TType.DOUBLE -> Long.BYTES;
            case TType.MAP -> 6;
            case TType.SET, TType.LIST -> 5;
            default -> 1;
        };
    }
}
