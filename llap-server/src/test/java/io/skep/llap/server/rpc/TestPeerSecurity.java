package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.config;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.skep.common.file.PrivateFiles;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.client.wire.IdentityCodec;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which daemons are read over the connections that they have made. */
@Timeout(180)
final class TestPeerSecurity {
    private static final int ROWS = 10_000;
    private static final List<Long> ALL = LongStream.range(0, ROWS).boxed().toList();
    private static final DaemonIdentity SOME = identity("some");
    private static final DaemonIdentity OTHER = identity("other");

    @TempDir
    private Path folder;

    private static DaemonIdentity identity(String incarnation) {
        return new DaemonIdentity(1, incarnation, 2, Optional.of(new DaemonEndpoint("127.0.0.1", 1)));
    }

    @Test
    void rowsComeBothWaysWithSecretAndTls() throws Exception {
        Path secret = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "a secret of many letters");
        Certificate certificate = Certificate.make(folder);
        RpcConfig config = new RpcConfig(
                OPEN.timeout(),
                Optional.of(secret),
                Optional.of(certificate.certificate()),
                Optional.of(certificate.key()),
                Optional.of(certificate.certificate()),
                false);
        try (DaemonSite site = new DaemonSite(folder)) {
            Served one = site.serve("a", 0, config);
            Served other = site.serve("b", 0, config);
            for (Served served : List.of(one, other)) {
                RemoteDaemon client = site.connect(served, config);
                client.register(QUERY, plan(numbered(ROWS)));
                var _ = client.submit(task(0, Map.of()));
            }
            assertThat(read(one, other)).isEqualTo(ALL);
            assertThat(read(other, one)).isEqualTo(ALL);
            awaitThat(() ->
                    one.server().peerConnectionCount() == 1 && other.server().peerConnectionCount() == 1);
        }
    }

    private static List<Long> read(Served reader, Served from) {
        return drain(reader.server()
                .peers()
                .apply(from.daemon().identity())
                .open(QUERY, new TaskAttemptId(0, 0, 0), 0, 1 << 20));
    }

    /** A proof of the secret also proves which daemon has connected. */
    @Test
    void aProofIsOfTheDaemonThatHasSigned() throws Exception {
        Path file = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "a secret of many letters");
        SharedSecret secret = SharedSecret.read(file);
        try (DaemonSite site = new DaemonSite(folder)) {
            Served served = site.serve("a", 0, config(Optional.of(file)));
            ManagedChannel channel = Grpc.newChannelBuilder(
                            served.endpoint().toString(), InsecureChannelCredentials.create())
                    .build();
            site.own(channel::shutdownNow);
            DaemonIdentity there = served.daemon().identity();
            byte[] some = IdentityCodec.encode(SOME);
            byte[] proof = secret.clientProof(there, some, challenge(channel));
            assertThat(control(channel, proof, Optional.of(IdentityCodec.encode(OTHER))))
                    .isEqualTo(Status.Code.UNAUTHENTICATED);
            proof = secret.clientProof(there, some, challenge(channel));
            assertThat(control(channel, proof, Optional.empty())).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(served.server().connectionCount()).isZero();
            proof = secret.clientProof(there, some, challenge(channel));
            assertThat(control(channel, proof, Optional.of(some))).isEqualTo(Status.Code.OK);
            assertThat(served.server().peerConnectionCount()).isEqualTo(1);
        }
    }

    /** A peer that is not a daemon has nothing to read. */
    @Test
    void nothingIsReadFromServers() throws Exception {
        try (DaemonSite site = new DaemonSite(folder)) {
            Served served = site.serve("a");
            ManagedChannel channel = Grpc.newChannelBuilder(
                            served.endpoint().toString(), InsecureChannelCredentials.create())
                    .build();
            site.own(channel::shutdownNow);
            assertThat(control(channel, new byte[0], Optional.empty())).isEqualTo(Status.Code.OK);
            assertThat(call(channel, DaemonRpc.PAGES_BACK, new Metadata(), new byte[0])
                            .code
                            .join())
                    .isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    private static byte[] challenge(Channel channel) {
        Answer answer = call(channel, DaemonRpc.GREET, new Metadata(), SharedSecret.challenge());
        assertThat(answer.code.join()).isEqualTo(Status.Code.OK);
        return Greeting.decode(answer.message.join()).challenge();
    }

    /** Returns OK when the daemon has answered. */
    private static Status.Code control(Channel channel, byte[] proof, Optional<byte[]> client) {
        Metadata headers = new Metadata();
        headers.put(DaemonRpc.PROOF, proof);
        client.ifPresent(named -> headers.put(DaemonRpc.CLIENT, named));
        Answer answer = call(channel, DaemonRpc.CONTROL, headers, new byte[0]);
        return CompletableFuture.anyOf(answer.message, answer.code)
                .thenApply(first -> first instanceof Status.Code code ? code : Status.Code.OK)
                .join();
    }

    private static Answer call(
            Channel channel, MethodDescriptor<byte[], byte[]> method, Metadata headers, byte[] message) {
        ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
        Answer answer = new Answer();
        call.start(answer, headers);
        call.request(1);
        call.sendMessage(message);
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            call.halfClose();
        }
        return answer;
    }

    private static final class Answer extends ClientCall.Listener<byte[]> {
        final CompletableFuture<byte[]> message = new CompletableFuture<>();
        final CompletableFuture<Status.Code> code = new CompletableFuture<>();

        @Override
        public void onMessage(byte[] received) {
            message.complete(received);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            code.complete(status.getCode());
        }
    }
}
