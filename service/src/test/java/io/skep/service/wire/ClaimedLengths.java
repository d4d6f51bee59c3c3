package io.skep.service.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TFieldIdEnum;
import org.apache.thrift.meta_data.FieldMetaData;
import org.apache.thrift.meta_data.FieldValueMetaData;
import org.apache.thrift.meta_data.StructMetaData;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;

/**
 * Messages that claim a wrong length in one field. There is one message for each field of text, bytes or a container,
 * at every level of every call of the protocol. The message stops after the claim.
 */
@SuppressWarnings("NullAway") // Thrift's descriptions of its structs
final class ClaimedLengths {
    private final String call;
    private final List<Claim> claims = new ArrayList<>();

    /** @param where the call and the path of fields */
    record Claim(String where, byte[] message) {}

    private record Step(short id, byte type) {}

    private ClaimedLengths(String call) {
        this.call = call;
    }

    static List<Claim> all() throws ReflectiveOperationException, TException {
        List<Claim> all = new ArrayList<>();
        for (Class<?> type : TCLIService.class.getDeclaredClasses()) {
            String name = type.getSimpleName();
            if (name.endsWith("_args") && TBase.class.isAssignableFrom(type)) {
                ClaimedLengths lengths = new ClaimedLengths(name.substring(0, name.length() - "_args".length()));
                lengths.visit(type, List.of());
                all.addAll(lengths.claims);
            }
        }
        return all;
    }

    private void visit(Class<?> struct, List<Step> path) throws ReflectiveOperationException, TException {
        @SuppressWarnings("unchecked")
        Map<TFieldIdEnum, FieldMetaData> fields = (Map<TFieldIdEnum, FieldMetaData>)
                struct.getField("metaDataMap").get(null);
        for (Map.Entry<TFieldIdEnum, FieldMetaData> entry : fields.entrySet()) {
            FieldValueMetaData value = entry.getValue().valueMetaData;
            List<Step> here = new ArrayList<>(path);
            here.add(new Step(entry.getKey().getThriftFieldId(), value.type));
            if (value instanceof StructMetaData nested && path.size() < 8) {
                visit(nested.structClass, here);
            }
            for (int size : new int[] {95_000_000, Integer.MAX_VALUE, -1}) {
                if (Arrays.binarySearch(CLAIMING, value.type) >= 0) {
                    claims.add(new Claim(call + here + " claims " + size, message(here, size)));
                }
            }
        }
    }

    private static final byte[] CLAIMING = {TType.STRING, TType.MAP, TType.SET, TType.LIST};

    private byte[] message(List<Step> path, int size) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(64);
        TBinaryProtocol protocol = new TBinaryProtocol(buffer);
        protocol.writeMessageBegin(new TMessage(call, TMessageType.CALL, 7));
        for (Step step : path) {
            protocol.writeFieldBegin(new TField("", step.type(), step.id()));
        }
        switch (path.getLast().type()) {
            case TType.STRING -> protocol.writeI32(size);
            case TType.MAP -> protocol.writeMapBegin(new TMap(TType.STRING, TType.STRING, size));
            // Values without bytes: any claimed number of them fits in a message.
            case TType.SET -> protocol.writeSetBegin(new TSet(TType.VOID, size));
            default -> protocol.writeListBegin(new TList(TType.VOID, size));
        }
        protocol.writeByte((byte) 'a');
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }
}
