package io.skep.llap.client.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestTickets {
    private static final QueryId QUERY = new QueryId("q1");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String FIRST = "1".repeat(64);
    private static final String SECOND = "2".repeat(64);
    private static final ReadTicket.Fragment WORK = new ReadTicket.Fragment(
            "the plan with a secret predicate".getBytes(StandardCharsets.UTF_8),
            Map.of(3, List.of(new byte[] {1, 2}, new byte[] {3})),
            Map.of("hive.local.time.zone", "UTC"));

    @TempDir
    private Path folder;

    private Instant now = Instant.ofEpochSecond(1_800_000_000);
    private final InstantSource clock = () -> now;

    private Path file(String... secrets) throws IOException {
        Path file = folder.resolve("keys");
        Files.writeString(file, String.join("\n", secrets) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private Tickets tickets(String... secrets) throws IOException {
        return new Tickets(TicketKeys.ofFile(file(secrets), clock), clock);
    }

    private static void assertRefused(Tickets tickets, byte[] bytes) {
        assertThatThrownBy(() -> tickets.verify(bytes))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }

    @Test
    void aTicketIsReadAsOftenAsItIsShown() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issue(QUERY, "ann", HOUR, WORK);
        for (int i = 0; i < 3; i++) {
            ReadTicket ticket = tickets.verify(bytes);
            assertThat(ticket.query()).isEqualTo(QUERY);
            assertThat(ticket.user()).isEqualTo("ann");
            assertThat(ticket.expiry()).isEqualTo(now.plus(HOUR));
            assertThat(ticket.work()).isInstanceOfSatisfying(ReadTicket.Fragment.class, work -> {
                assertThat(work.plan()).isEqualTo(WORK.plan());
                assertThat(work.splits().get(3)).containsExactly(new byte[] {1, 2}, new byte[] {3});
                assertThat(work.settings()).isEqualTo(WORK.settings());
            });
        }
    }

    @Test
    void theServersTicketsNameAStatement() throws IOException {
        Tickets tickets = tickets(FIRST);
        ReadTicket.Statement work = new ReadTicket.Statement("SELECT 1", "db", Map.of("a", "b"), List.of("c"));
        assertThat(tickets.verify(tickets.issue(QUERY, "ann", HOUR, work)).work())
                .isEqualTo(work);
    }

    @Test
    void itsHolderDoesNotSeeWhatItContains() throws IOException {
        byte[] bytes = tickets(FIRST).issue(QUERY, "ann", HOUR, WORK);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain("secret").doesNotContain("ann").doesNotContain("hive.local");
    }

    @Test
    void everyFlippedBitIsNoticed() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issue(QUERY, "ann", HOUR, WORK);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] altered = bytes.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(tickets, altered);
        }
    }

    @Test
    void everyOtherLengthIsNoticed() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issue(QUERY, "ann", HOUR, WORK);
        for (int length = 0; length < bytes.length; length++) {
            assertRefused(tickets, Arrays.copyOf(bytes, length));
            assertRefused(tickets, Arrays.copyOfRange(bytes, bytes.length - length, bytes.length));
        }
        assertRefused(tickets, Arrays.copyOf(bytes, bytes.length + 1));
        assertRefused(tickets, new byte[Tickets.MAX_BYTES + 1]);
    }

    @Test
    void partsOfTwoTicketsAreNoTicket() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] one = tickets.issue(QUERY, "ann", HOUR, WORK);
        byte[] other = tickets.issue(QUERY, "bob", HOUR, WORK);
        assertThat(one).isNotEqualTo(tickets.issue(QUERY, "ann", HOUR, WORK));
        for (int cut = 1; cut < one.length; cut++) {
            byte[] mixed = one.clone();
            System.arraycopy(other, cut, mixed, cut, one.length - cut);
            if (!Arrays.equals(mixed, one) && !Arrays.equals(mixed, other)) {
                assertRefused(tickets, mixed);
            }
        }
    }

    @Test
    void anotherSitesTicketIsRefused() throws IOException {
        byte[] foreign = tickets(SECOND).issue(QUERY, "ann", HOUR, WORK);
        assertRefused(tickets(FIRST), foreign);
        assertRefused(tickets(FIRST), new Tickets(TicketKeys.ofProcess(), clock).issue(QUERY, "ann", HOUR, WORK));
    }

    @Test
    void aTicketEndsAtItsExpiry() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issue(QUERY, "ann", HOUR, WORK);
        now = now.plus(HOUR).minusMillis(1);
        assertThat(tickets.verify(bytes).user()).isEqualTo("ann");
        now = now.plusMillis(1);
        assertRefused(tickets, bytes);
    }

    @Test
    void aServersClockMayBeALittleAhead() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issue(QUERY, "ann", HOUR, WORK);
        now = now.minus(Duration.ofMinutes(5));
        assertThat(tickets.verify(bytes).user()).isEqualTo("ann");
        now = now.minusMillis(1);
        assertRefused(tickets, bytes);
    }

    @Test
    void oneForWritingNamesAWrite() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] bytes = tickets.issueWrite(QUERY, "ann", HOUR, "the write");
        WriteTicket ticket = tickets.verifyWrite(bytes);
        assertThat(ticket).isEqualTo(new WriteTicket(QUERY, "ann", now, now.plus(HOUR), "the write"));
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("the write");
        now = now.plus(HOUR);
        assertWriteRefused(tickets, bytes);
    }

    @Test
    void readersTicketsDoNotWriteAndWritersDoNotRead() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] writing = tickets.issueWrite(QUERY, "ann", HOUR, "the write");
        assertRefused(tickets, writing);
        assertWriteRefused(tickets, tickets.issue(QUERY, "ann", HOUR, WORK));
        assertWriteRefused(
                tickets,
                tickets.issue(QUERY, "ann", HOUR, new ReadTicket.Statement("SELECT 1", "db", Map.of(), List.of("c"))));
        assertWriteRefused(tickets(SECOND), writing);
        for (int bit = 0; bit < 8 * writing.length; bit++) {
            byte[] altered = writing.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            assertWriteRefused(tickets(FIRST), altered);
        }
    }

    private static void assertWriteRefused(Tickets tickets, byte[] bytes) {
        assertThatThrownBy(() -> tickets.verifyWrite(bytes))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }

    @Test
    void keysRotateWithoutARestart() throws IOException {
        Tickets tickets = tickets(FIRST);
        byte[] old = tickets.issue(QUERY, "ann", HOUR, WORK);
        file(SECOND, FIRST);
        now = now.plusSeconds(1);
        byte[] fresh = tickets.issue(QUERY, "ann", HOUR, WORK);
        assertThat(tickets.verify(old).user()).isEqualTo("ann");
        assertThat(tickets.verify(fresh).user()).isEqualTo("ann");
        file(SECOND);
        now = now.plusSeconds(1);
        assertRefused(tickets, old);
        assertThat(tickets.verify(fresh).user()).isEqualTo("ann");
        file("too short");
        now = now.plusSeconds(1);
        assertThat(tickets.verify(fresh).user()).isEqualTo("ann");
    }

    @Test
    void filesThatProtectNothingAreRefused() throws IOException {
        for (String text : List.of("", "# only a comment", "short")) {
            assertThatThrownBy(() -> tickets(text))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
        }
        Path open = file(FIRST);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> TicketKeys.ofFile(open)).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> TicketKeys.ofFile(folder.resolve("none"))).isInstanceOf(SkepException.class);
    }

    @Test
    void whatIsTooLargeIsNotIssued() throws IOException {
        Tickets tickets = tickets(FIRST);
        ReadTicket.Fragment large = new ReadTicket.Fragment(new byte[Tickets.MAX_BYTES], Map.of(), Map.of());
        assertThatThrownBy(() -> tickets.issue(QUERY, "ann", HOUR, large))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    /** Bounded here; -Dskep.fuzz.tickets=N runs longer. */
    @Test
    void randomBytesAreRefused() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Tickets tickets = tickets(FIRST);
        byte[] right = tickets.issue(QUERY, "ann", HOUR, WORK);
        List<byte[]> accepted = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("skep.fuzz.tickets", 5000); i++) {
            byte[] bytes = random.nextBoolean() ? right.clone() : new byte[random.nextInt(300)];
            int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            byte[] noise = new byte[bytes.length - from];
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bytes, from, noise.length);
            if (Arrays.equals(bytes, right)) {
                continue;
            }
            try {
                tickets.verify(bytes);
                accepted.add(bytes);
            } catch (SkepException e) {
                assertThat(e.code()).as("seed %s", seed).isEqualTo(StandardErrorCode.ACCESS_DENIED);
            }
        }
        assertThat(accepted).as("seed %s", seed).isEmpty();
    }
}
