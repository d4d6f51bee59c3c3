package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionResp;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;

/** Tests clients that send invalid data, too much, or too little, or that disconnect halfway. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestConnections {
    private static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);

    private static Socket socket(TestingServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.thrift.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void sentAway(TestingServer server, byte[] bytes) throws IOException {
        try (Socket socket = socket(server)) {
            socket.getOutputStream().write(bytes);
            assertThat(isClosed(socket))
                    .as("the server has closed the connection")
                    .isTrue();
        }
        assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0))
                .isTrue();
    }

    /** A connection that is closed before all data was read may be reset. */
    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (IOException e) {
            return !(e instanceof java.net.SocketTimeoutException);
        }
    }

    @Test
    void nonsenseEndsTheConnectionOnly() throws Exception {
        try (TestingServer server = new TestingServer(Map.of("hive.server2.thrift.max.message.size", "65536"))) {
            sentAway(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            // A strict message whose name claims to be longer than the maximum message, and one with a negative length.
            sentAway(server, new byte[] {(byte) 0x80, 1, 0, 1, 0x7f, 0, 0, 0});
            sentAway(server, new byte[] {(byte) 0x80, 1, 0, 1, (byte) 0xff, 0, 0, 0});
            try (TTransport transport = server.connect()) {
                assertThat(TestingServer.client(transport)
                                .OpenSession(OPEN)
                                .getStatus()
                                .getStatusCode())
                        .isEqualTo(TStatusCode.SUCCESS_STATUS);
            }
        }
    }

    @Test
    void unknownCallsAreAnsweredAndTheConnectionGoesOn() throws Exception {
        try (TestingServer server = new TestingServer(Map.of());
                TTransport transport = server.connect()) {
            TBinaryProtocol protocol = new TBinaryProtocol(transport);
            protocol.writeMessageBegin(new TMessage("DropEverything", TMessageType.CALL, 9));
            protocol.writeStructBegin(new org.apache.thrift.protocol.TStruct("x"));
            protocol.writeFieldStop();
            protocol.writeStructEnd();
            protocol.writeMessageEnd();
            transport.flush();
            TMessage answer = protocol.readMessageBegin();
            assertThat(answer.type).isEqualTo(TMessageType.EXCEPTION);
            assertThat(answer.seqid).isEqualTo(9);
            assertThat(TApplicationException.readFrom(protocol).getType())
                    .isEqualTo(TApplicationException.UNKNOWN_METHOD);
            protocol.readMessageEnd();
            assertThat(TestingServer.client(transport)
                            .OpenSession(OPEN)
                            .getStatus()
                            .getStatusCode())
                    .isEqualTo(TStatusCode.SUCCESS_STATUS);
        }
    }

    private static byte[] sasl(int status, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[5 + payload.length];
        message[0] = (byte) status;
        message[4] = (byte) payload.length;
        System.arraycopy(payload, 0, message, 5, payload.length);
        return message;
    }

    @Test
    void saslIsNegotiatedOrRefused() throws Exception {
        try (TestingServer server = new TestingServer(Map.of("hive.server2.authentication", "NONE"))) {
            assertThat(answer(server, sasl(1, "GSSAPI")))
                    .startsWith("3 Unsupported mechanism type GSSAPI")
                    .contains("hive.server2.authentication=NONE");
            assertThat(answer(server, sasl(1, "PLAIN"), sasl(2, "no zeros"))).isEqualTo("3 Malformed PLAIN response");
            assertThat(answer(server, sasl(1, "PLAIN"), sasl(5, "\0ann\0secret")))
                    .isEqualTo("5 ");
            sentAway(server, new byte[] {1, 0x7f, 0, 0, 0});
            sentAway(server, new byte[] {1, (byte) 0xff, 0, 0, 0});
        }
        try (TestingServer server = new TestingServer(Map.of())) {
            assertThat(answer(server, sasl(1, "PLAIN"), sasl(5, "\0ann\0secret")))
                    .startsWith("4 ")
                    .contains("hive.server2.authentication=NOSASL");
        }
    }

    /** Returns the status and the text of the first answer. */
    private static String answer(TestingServer server, byte[]... messages) throws IOException {
        try (Socket socket = socket(server)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            for (byte[] message : messages) {
                out.write(message);
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int status = in.readByte();
            return status + " " + new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        }
    }

    @Test
    void plainThriftWhereSaslIsExpectedIsToldSo() throws Exception {
        try (TestingServer server = new TestingServer(Map.of("hive.server2.authentication", "NONE"));
                TTransport transport = server.connect()) {
            TCLIService.Client client = TestingServer.client(transport);
            assertThatThrownBy(() -> client.OpenSession(OPEN))
                    .isInstanceOf(TApplicationException.class)
                    .hasMessageContaining("hive.server2.authentication=NONE");
        }
    }

    @Test
    void framesThatAreTooLargeEndTheConnection() throws Exception {
        try (TestingServer server = new TestingServer(
                Map.of("hive.server2.authentication", "NONE", "hive.server2.thrift.max.message.size", "65536"))) {
            for (int claimed : new int[] {65537, -1}) {
                try (Socket socket = socket(server)) {
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.write(sasl(1, "PLAIN"));
                    out.write(sasl(5, "\0ann\0secret"));
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    in.readNBytes(5);
                    out.writeInt(claimed);
                    assertThat(isClosed(socket)).isTrue();
                }
            }
        }
    }

    @Test
    void silentClientsAreSentAway() throws Exception {
        try (TestingServer server =
                new TestingServer(Map.of("hive.server2.authentication", "NONE", "skep.thrift.login-timeout", "50ms"))) {
            sentAway(server, new byte[0]);
            sentAway(server, new byte[] {1, 0, 0});
        }
    }

    @Test
    void clientsThatGoWhileTheServerWorksForThem() throws Exception {
        try (TestingServer server = new TestingServer(Map.of())) {
            TTransport transport = server.connect();
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
            // The call is synchronous, so it is not answered until the statement finishes, which never happens.
            client.send_ExecuteStatement(new TExecuteStatementReq(session, "wait"));
            assertThat(TestingServer.comesTrue(() -> server.sessions.runningStatements() == 1))
                    .isTrue();
            transport.close();
            assertThat(TestingServer.comesTrue(() -> server.sessions.all().isEmpty()
                            && server.sessions.runningStatements() == 0
                            && server.engine.openStatements() == 0
                            && server.thrift.connectionCount() == 0))
                    .as("nothing is left of the client")
                    .isTrue();
        }
    }

    @Test
    void aClientThatSendsAheadIsNotTakenForGone() throws Exception {
        try (TestingServer server = new TestingServer(Map.of());
                TTransport transport = server.connect()) {
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
            TExecuteStatementReq slow = new TExecuteStatementReq(session, "wait");
            slow.setQueryTimeout(2);
            client.send_ExecuteStatement(slow);
            assertThat(TestingServer.comesTrue(() -> server.sessions.runningStatements() == 1))
                    .isTrue();
            TCLIService.Client ahead = TestingServer.client(transport);
            ahead.send_GetInfo(new TGetInfoReq(session, TGetInfoType.CLI_DBMS_NAME));
            assertThat(client.recv_ExecuteStatement().getStatus().getErrorMessage())
                    .contains("ran longer");
            assertThat(ahead.recv_GetInfo().getInfoValue().getStringValue()).isEqualTo("Apache Hive");
        }
    }

    @Test
    void sessionsMayOutliveTheirConnection() throws Exception {
        try (TestingServer server = new TestingServer(Map.of("hive.server2.close.session.on.disconnect", "false"))) {
            TOpenSessionResp opened;
            try (TTransport transport = server.connect()) {
                opened = TestingServer.client(transport).OpenSession(OPEN);
            }
            assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0))
                    .isTrue();
            assertThat(server.sessions.all()).hasSize(1);
            try (TTransport transport = server.connect()) {
                assertThat(info(transport, opened)).isEqualTo("Apache Hive");
            }
        }
    }

    private static String info(TTransport transport, TOpenSessionResp opened) throws TException {
        return TestingServer.client(transport)
                .GetInfo(new TGetInfoReq(opened.getSessionHandle(), TGetInfoType.CLI_DBMS_NAME))
                .getInfoValue()
                .getStringValue();
    }
}
