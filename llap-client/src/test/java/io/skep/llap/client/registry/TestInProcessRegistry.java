package io.skep.llap.client.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestInProcessRegistry {
    private final InProcessRegistry registry = new InProcessRegistry();

    @Test
    void lowestFreeSlotIsGiven() {
        DaemonRegistration first = registry.register(offer("a", 1));
        registry.register(offer("b", 2));
        registry.register(offer("c", 3));
        assertThat(slots()).containsExactly("0 a", "1 b", "2 c");
        first.close();
        first.close();
        assertThat(slots()).containsExactly("1 b", "2 c");
        registry.register(offer("d", 4));
        assertThat(slots()).containsExactly("0 d", "1 b", "2 c");
    }

    @Test
    void laterLifeAtAnAddressReplacesTheEarlier() {
        DaemonRegistration earlier = registry.register(offer("a", 1));
        registry.register(offer("b", 2));
        registry.register(offer("c", 1));
        assertThat(slots()).containsExactly("0 c", "1 b");
        earlier.close();
        assertThat(slots()).containsExactly("0 c", "1 b");
    }

    @Test
    void listenersAreToldOfEachChange() {
        DaemonRegistration daemon = registry.register(offer("a", 1));
        List<List<DaemonEntry>> told = new ArrayList<>();
        try (DaemonRegistry.Listening listening = registry.listen(list -> {
                    throw new IllegalStateException("not the others' trouble");
                });
                DaemonRegistry.Listening other = registry.listen(told::add)) {
            daemon.updateCapacity(new DaemonCapacity(7, 70, 700));
            daemon.updateCapacity(new DaemonCapacity(7, 70, 700));
            daemon.close();
            assertThat(listening).isNotSameAs(other);
        }
        registry.register(offer("b", 2));
        assertThat(told).hasSize(3);
        assertThat(told.get(0)).containsExactly(offer("a", 1).inSlot(0));
        assertThat(told.get(1))
                .containsExactly(offer("a", 1)
                        .withCapacity(new DaemonCapacity(7, 70, 700))
                        .inSlot(0));
        assertThat(told.get(2)).isEmpty();
    }

    private List<String> slots() {
        return registry.entries().stream()
                .map(entry -> entry.identity().slot() + " " + entry.identity().incarnation())
                .toList();
    }

    private static DaemonOffer offer(String incarnation, int port) {
        return new DaemonOffer(incarnation, "host", port, 0, new DaemonCapacity(2, 100, 200));
    }
}
