package io.skep.itests.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;

/** The calls for tables that clients of Hive 2 make, written and read field by field as in Hive 2's definition. */
final class OlderMetastoreClient implements AutoCloseable {
    private final TTransport transport;
    private final TProtocol protocol;

    OlderMetastoreClient(String uri) throws TException {
        URI address = URI.create(uri);
        transport = new TSocket(address.getHost(), address.getPort());
        transport.open();
        protocol = new TBinaryProtocol(transport);
    }

    /** Returns an error as a number: that of its field in the result. */
    record Answer(List<Table> tables, int error) {}

    Answer getTable(String database, String table) throws TException {
        begin("get_table", database);
        protocol.writeFieldBegin(new TField("tbl_name", TType.STRING, (short) 2));
        protocol.writeString(table);
        return end();
    }

    Answer getTables(String database, List<String> names) throws TException {
        begin("get_table_objects_by_name", database);
        protocol.writeFieldBegin(new TField("tbl_names", TType.LIST, (short) 2));
        protocol.writeListBegin(new TList(TType.STRING, names.size()));
        for (String name : names) {
            protocol.writeString(name);
        }
        protocol.writeListEnd();
        return end();
    }

    private void begin(String call, String database) throws TException {
        protocol.writeMessageBegin(new TMessage(call, TMessageType.CALL, 7));
        protocol.writeStructBegin(new TStruct("arguments"));
        protocol.writeFieldBegin(new TField("dbname", TType.STRING, (short) 1));
        protocol.writeString(database);
        protocol.writeFieldEnd();
    }

    private Answer end() throws TException {
        protocol.writeFieldEnd();
        protocol.writeFieldStop();
        protocol.writeStructEnd();
        protocol.writeMessageEnd();
        transport.flush();
        TMessage message = protocol.readMessageBegin();
        if (message.type == TMessageType.EXCEPTION) {
            throw TApplicationException.readFrom(protocol);
        }
        Answer answer = read();
        protocol.readMessageEnd();
        return answer;
    }

    private Answer read() throws TException {
        List<Table> tables = new ArrayList<>();
        int error = 0;
        protocol.readStructBegin();
        for (TField field = protocol.readFieldBegin(); field.type != TType.STOP; field = protocol.readFieldBegin()) {
            if (field.id == 0 && field.type == TType.LIST) {
                int size = protocol.readListBegin().size;
                for (int i = 0; i < size; i++) {
                    tables.add(table());
                }
                protocol.readListEnd();
            } else if (field.id == 0) {
                tables.add(table());
            } else {
                error = field.id;
                TProtocolUtil.skip(protocol, field.type);
            }
            protocol.readFieldEnd();
        }
        protocol.readStructEnd();
        return new Answer(tables, error);
    }

    private Table table() throws TException {
        Table table = new Table();
        table.read(protocol);
        return table;
    }

    @Override
    public void close() {
        transport.close();
    }
}
