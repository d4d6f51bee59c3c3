package io.skep.tez.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.TaskAttemptId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestVertexPayload {
    @Test
    void everythingComesBack() {
        VertexPayload.TaskShare first =
                new VertexPayload.TaskShare(6, 3, Map.of(7, List.of(new byte[] {1, 2}, new byte[0]), 9, List.of()));
        VertexPayload payload = new VertexPayload(
                "key",
                List.of(
                        new DaemonIdentity(0, "one", 4),
                        new DaemonIdentity(2, "two", 8, Optional.of(new DaemonEndpoint("host", 15001)))),
                "query",
                "hash",
                4,
                true,
                5,
                Map.of("a", "b".repeat(100_000)),
                List.of(3, 1),
                List.of(8),
                true,
                List.of(first, new VertexPayload.TaskShare(0, 1, Map.of())));
        VertexPayload back = VertexPayload.fromBytes(payload.toBytes());
        assertThat(back).usingRecursiveComparison().isEqualTo(payload);
    }

    @Test
    void addressesComeBack() {
        OutputLocation location = new OutputLocation(new DaemonIdentity(3, "life", 8), new TaskAttemptId(1, 2, 3));
        assertThat(OutputAddress.decode(OutputAddress.encode(location))).isEqualTo(location);
        Optional<DaemonEndpoint> endpoint = Optional.of(new DaemonEndpoint("::1", 15001));
        OutputLocation remote =
                new OutputLocation(new DaemonIdentity(3, "life", 8, endpoint), new TaskAttemptId(1, 2, 3));
        assertThat(OutputAddress.decode(OutputAddress.encode(remote))).isEqualTo(remote);
    }
}
