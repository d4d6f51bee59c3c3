package io.skep.service.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestServerEntry {
    @Test
    void nameAndContentAreThoseThatHivesClientsRead() {
        ServerEntry entry = new ServerEntry(
                "h.example",
                10000,
                "4.0.1",
                Map.of("hive.server2.use.SSL", "false", "hive.server2.thrift.port", "10000"));
        assertThat(entry.name()).isEqualTo("serverUri=h.example:10000;version=4.0.1;sequence=");
        assertThat(entry.name()).startsWith(entry.nodeNamePrefix());
        assertThat(entry.content())
                .isEqualTo("hive.server2.thrift.bind.host=h.example;hive.server2.thrift.port=10000;"
                        + "hive.server2.use.SSL=false");
    }

    @Test
    void addressAlone() {
        assertThat(new ServerEntry("h", 1, "4", Map.of()).content()).isEqualTo("h:1");
        assertThat(new ServerEntry("::1", 1, "4", Map.of()).content()).isEqualTo("[::1]:1");
    }

    @Test
    void aServerThatListensEverywhereGivesItsMachinesName() throws Exception {
        String machine = InetAddress.getLocalHost().getCanonicalHostName();
        assertThat(ServerEntry.clientHost("0.0.0.0")).isEqualTo(machine);
        assertThat(ServerEntry.clientHost("127.0.0.1")).isEqualTo("127.0.0.1");
        assertThat(ServerEntry.clientHost("localhost")).isEqualTo("localhost");
    }
}
