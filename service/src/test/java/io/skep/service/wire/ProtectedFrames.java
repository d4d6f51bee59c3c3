package io.skep.service.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** The frames of a client that has logged in by Kerberos, for clients that do not keep to the protocol. */
record ProtectedFrames(TTransport socket, SaslClient sasl) {
    /** Returns a call of OpenSession. */
    static byte[] openSession() throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        new TCLIService.Client(new TBinaryProtocol(buffer))
                .send_OpenSession(new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10));
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    byte[] wrapped(byte[] message) throws SaslException {
        return sasl.wrap(message, 0, message.length);
    }

    void send(byte[] message) throws SaslException, TTransportException {
        sendRaw(wrapped(message));
    }

    /** Sends the content of a frame as it is. */
    void sendRaw(byte[] content) throws TTransportException {
        socket.write(ByteBuffer.allocate(4 + content.length)
                .putInt(content.length)
                .put(content)
                .array());
        socket.flush();
    }

    /** Returns the content of the next frame as it is sent. */
    String received() throws TTransportException {
        byte[] header = new byte[4];
        socket.readAll(header, 0, 4);
        byte[] content = new byte[ByteBuffer.wrap(header).getInt()];
        socket.readAll(content, 0, content.length);
        return new String(content, StandardCharsets.ISO_8859_1);
    }
}
