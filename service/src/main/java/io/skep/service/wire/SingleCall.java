package io.skep.service.wire;

import io.skep.service.authentication.ClientLogin;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call that arrives by itself, with the login of its client: a request of the HTTP transport. It has the budgets
 * and time limits of a call on the binary transport. Its sessions belong to no connection: they end when they are
 * closed, or when they are idle.
 *
 * <p>Owned by the request's thread. Other threads call {@link #overdue}.
 */
public final class SingleCall {
    private static final Logger LOG = LoggerFactory.getLogger(SingleCall.class);

    private final WireServices services;
    private final ClientLogin login;
    private final AnswerAccount answers;
    private final CallLimits limits;
    private final ClientTransport stream;
    private final long begun = System.nanoTime();

    /**
     * @param input the bytes of the call, in which its client is not believed
     * @param output takes the bytes of the answer
     */
    public SingleCall(WireServices services, InputStream input, OutputStream output, ClientLogin login) {
        this.services = services;
        this.login = login;
        WireMemory memory = services.memory();
        this.answers = new AnswerAccount(memory.answers());
        this.limits = new CallLimits(services.config(), answers);
        this.stream = new ClientTransport(
                input,
                output,
                services.config().maxMessageBytes(),
                memory.buffers(),
                new RequestAccount(memory.requests()),
                answers);
    }

    /**
     * Reads the call, handles it and writes the answer.
     *
     * @throws IOException when the call is cut off, is no call, or the client does not read its answer
     */
    @SuppressWarnings("resource") // closing it would close sessions, which outlive the call
    public void serve() throws IOException {
        try {
            ClientConnection calls = new ClientConnection(services, login, answers);
            RequestProtocol protocol = new RequestProtocol(stream);
            new TCLIService.Processor<>(calls).process(protocol, protocol);
        } catch (TException e) {
            throw new IOException("the call was not completed: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            LOG.warn("a call of {} ended by what it sent", login.address(), e);
            throw new IOException("the request is not a call", e);
        } finally {
            stream.release();
        }
    }

    /**
     * Returns the time limit that the client has exceeded, if any.
     *
     * @param now {@link System#nanoTime}
     */
    public Optional<String> overdue(long now) {
        return limits.overdue(stream, begun, false, now);
    }
}
