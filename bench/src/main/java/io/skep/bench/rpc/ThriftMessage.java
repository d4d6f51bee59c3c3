package io.skep.bench.rpc;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * A Thrift call or reply with one binary field, in the form of generated code.
 *
 * @param name name of the method
 */
record ThriftMessage(String name, byte[] content) {
    private static final TStruct STRUCT = new TStruct("content");
    private static final TField FIELD = new TField("content", TType.STRING, (short) 1);

    void write(TProtocol out, byte type) throws TException {
        out.writeMessageBegin(new TMessage(name, type, 0));
        out.writeStructBegin(STRUCT);
        out.writeFieldBegin(FIELD);
        out.writeBinary(ByteBuffer.wrap(content));
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
        out.getTransport().flush();
    }

    static ThriftMessage read(TProtocol in) throws TException {
        String name = in.readMessageBegin().name;
        byte[] content = new byte[0];
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (field.id == FIELD.id && field.type == FIELD.type) {
                ByteBuffer bytes = in.readBinary();
                content = new byte[bytes.remaining()];
                bytes.get(content);
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        in.readMessageEnd();
        return new ThriftMessage(name, content);
    }

    /** Sends the message and waits for the reply. */
    byte[] call(TProtocol protocol) throws TException {
        write(protocol, TMessageType.CALL);
        return read(protocol).content();
    }
}
