package io.skep.service.wire;

import io.skep.common.config.SettingsReader;
import io.skep.itests.fuzz.InputReader;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.ClientAuthenticationConfig;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TException;

/** Reads a client's requests in the same way as {@link SocketConnection}. The calls themselves are rejected. */
public final class RequestReader implements InputReader {
    private static final int MAX_MESSAGE_BYTES = 100 << 20;

    private final ClientAuthentication authentication = ClientAuthentication.open(
            ClientAuthenticationConfig.of(new SettingsReader(Map.of()), true), new Configuration(false));
    private final BufferPool buffers = new BufferPool();
    private final RequestBudget budget = new RequestBudget(64 << 20);
    private final AnswerBudget answers = new AnswerBudget(64 << 20, Duration.ofMinutes(1));
    private final TCLIService.Processor<TCLIService.Iface> processor =
            new TCLIService.Processor<>((TCLIService.Iface) Proxy.newProxyInstance(
                    TCLIService.Iface.class.getClassLoader(),
                    new Class<?>[] {TCLIService.Iface.class},
                    (proxy, method, arguments) -> {
                        throw new TException(method.getName());
                    }));

    @Override
    public void read(byte[] input) {
        ClientTransport transport = new ClientTransport(
                new ByteArrayInputStream(input),
                OutputStream.nullOutputStream(),
                MAX_MESSAGE_BYTES,
                buffers,
                new RequestAccount(budget),
                new AnswerAccount(answers));
        try {
            serve(transport);
        } catch (TException e) {
            // The connection is closed and releases its resources.
            transport.close();
        } finally {
            transport.release();
        }
        if (budget.reserved() != 0) {
            throw new AssertionError(budget.reserved() + " bytes of a request are still reserved");
        }
    }

    private void serve(ClientTransport transport) throws TException {
        boolean sasl = SaslNegotiation.begins(transport.firstByte());
        if (sasl) {
            transport.frame(new SaslNegotiation(transport, "fuzz", AuditLog.NONE)
                    .accept(authentication, MAX_MESSAGE_BYTES)
                    .protection());
        }
        RequestProtocol protocol = new RequestProtocol(transport);
        while (true) {
            processor.process(protocol, protocol);
            if (protocol.hasFailed() && !sasl) {
                return;
            }
        }
    }
}
