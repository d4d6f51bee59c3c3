package io.skep.llap.client.external;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Issues tickets and verifies them. Nothing of a ticket is parsed before its signature is verified. A ticket may be
 * read any number of times until it expires, because readers retry. Thread-safe.
 */
public final class Tickets {
    /** A ticket with more bytes is neither issued nor accepted. */
    public static final int MAX_BYTES = 1 << 20;

    /** How far the clock of a server may be ahead of that of a daemon. */
    private static final Duration MAX_SKEW = Duration.ofMinutes(5);

    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TicketKeys keys;
    private final InstantSource clock;

    public Tickets(TicketKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** Returns a ticket's bytes. Two tickets for the same work differ. */
    public byte[] issue(QueryId query, String user, Duration lifetime, ReadTicket.Work work) {
        ExternalProto.Ticket.Builder out = begun(query, user, lifetime);
        switch (work) {
            case ReadTicket.Fragment fragment -> out.setFragment(write(fragment));
            case ReadTicket.Statement statement -> out.setStatement(write(statement));
        }
        ExternalProto.Ticket ticket = out.build();
        if (ticket.getSerializedSize() > MAX_BYTES - TicketKeys.OVERHEAD) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "a ticket for external readers would have " + ticket.getSerializedSize() + " bytes, more"
                                    + " than the " + MAX_BYTES + " that daemons take")
                    .withHint("ask for more splits, or for fewer columns");
        }
        return keys.seal(ticket.toByteArray());
    }

    /**
     * Returns the bytes of a ticket for writing.
     *
     * @param write the name of the write
     */
    public byte[] issueWrite(QueryId query, String user, Duration lifetime, String write) {
        ExternalProto.PartsWrite work =
                ExternalProto.PartsWrite.newBuilder().setName(write).build();
        return keys.seal(begun(query, user, lifetime).setWrite(work).build().toByteArray());
    }

    private ExternalProto.Ticket.Builder begun(QueryId query, String user, Duration lifetime) {
        Instant now = clock.instant();
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return ExternalProto.Ticket.newBuilder()
                .setQuery(query.value())
                .setUser(user)
                .setIssuedMillis(now.toEpochMilli())
                .setExpiryMillis(now.plus(lifetime).toEpochMilli())
                .setNonce(ByteString.copyFrom(nonce));
    }

    /** @throws SkepException ACCESS_DENIED for a ticket that this site has not issued, that has expired, or writes */
    public ReadTicket verify(byte[] bytes) {
        try {
            return read(opened(bytes));
        } catch (IllegalArgumentException e) {
            throw refused("is of another release, or one for writing");
        }
    }

    /** @throws SkepException ACCESS_DENIED for a ticket that this site has not issued, that has expired, or reads */
    public WriteTicket verifyWrite(byte[] bytes) {
        ExternalProto.Ticket ticket = opened(bytes);
        if (ticket.getWorkCase() != ExternalProto.Ticket.WorkCase.WRITE) {
            throw refused("is not one for writing");
        }
        return new WriteTicket(
                new QueryId(ticket.getQuery()),
                ticket.getUser(),
                Instant.ofEpochMilli(ticket.getIssuedMillis()),
                Instant.ofEpochMilli(ticket.getExpiryMillis()),
                ticket.getWrite().getName());
    }

    /** Returns the content of a ticket of this site that is valid now. */
    private ExternalProto.Ticket opened(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw refused("has more than " + MAX_BYTES + " bytes");
        }
        byte[] content = keys.open(bytes).orElseThrow(() -> refused("is not one of this site"));
        ExternalProto.Ticket ticket;
        try {
            ticket = ExternalProto.Ticket.parseFrom(content);
        } catch (InvalidProtocolBufferException e) {
            throw refused("is of another release");
        }
        Instant issued = Instant.ofEpochMilli(ticket.getIssuedMillis());
        Instant expiry = Instant.ofEpochMilli(ticket.getExpiryMillis());
        Instant now = clock.instant();
        if (issued.isAfter(now.plus(MAX_SKEW))) {
            throw refused("is of " + issued + ", and it is " + now + " here")
                    .withHint("set the clocks of servers and daemons");
        }
        if (!now.isBefore(expiry)) {
            throw refused("has expired at " + expiry).withHint("ask the server for a new one");
        }
        return ticket;
    }

    private static SkepException refused(String why) {
        return new SkepException(StandardErrorCode.ACCESS_DENIED, "The ticket " + why);
    }

    private static ExternalProto.FragmentRead write(ReadTicket.Fragment fragment) {
        ExternalProto.FragmentRead.Builder out = ExternalProto.FragmentRead.newBuilder()
                .setPlan(ByteString.copyFrom(fragment.plan()))
                .addAllSettings(write(fragment.settings()));
        fragment.splits()
                .forEach((scan, splits) -> out.addSplits(ExternalProto.ScanSplits.newBuilder()
                        .setScan(scan)
                        .addAllSplits(splits.stream().map(ByteString::copyFrom).toList())));
        return out.build();
    }

    private static ExternalProto.StatementRead write(ReadTicket.Statement statement) {
        return ExternalProto.StatementRead.newBuilder()
                .setText(statement.text())
                .setDatabase(statement.database())
                .addAllSettings(write(statement.settings()))
                .addAllColumns(statement.columns())
                .build();
    }

    private static List<ExternalProto.Setting> write(Map<String, String> settings) {
        List<ExternalProto.Setting> out = new ArrayList<>(settings.size());
        settings.forEach((name, value) -> out.add(
                ExternalProto.Setting.newBuilder().setName(name).setValue(value).build()));
        return out;
    }

    private static ReadTicket read(ExternalProto.Ticket ticket) {
        ReadTicket.Work work = switch (ticket.getWorkCase()) {
            case FRAGMENT -> read(ticket.getFragment());
            case STATEMENT -> read(ticket.getStatement());
            case WRITE, WORK_NOT_SET -> throw new IllegalArgumentException("a ticket that reads nothing");
        };
        return new ReadTicket(
                new QueryId(ticket.getQuery()),
                ticket.getUser(),
                Instant.ofEpochMilli(ticket.getIssuedMillis()),
                Instant.ofEpochMilli(ticket.getExpiryMillis()),
                work);
    }

    private static ReadTicket.Fragment read(ExternalProto.FragmentRead fragment) {
        Map<Integer, List<byte[]>> splits = new HashMap<>();
        for (ExternalProto.ScanSplits scan : fragment.getSplitsList()) {
            splits.put(
                    scan.getScan(),
                    scan.getSplitsList().stream().map(ByteString::toByteArray).toList());
        }
        return new ReadTicket.Fragment(fragment.getPlan().toByteArray(), splits, read(fragment.getSettingsList()));
    }

    private static ReadTicket.Statement read(ExternalProto.StatementRead statement) {
        return new ReadTicket.Statement(
                statement.getText(),
                statement.getDatabase(),
                read(statement.getSettingsList()),
                statement.getColumnsList());
    }

    private static Map<String, String> read(List<ExternalProto.Setting> settings) {
        Map<String, String> values = new HashMap<>();
        settings.forEach(setting -> values.put(setting.getName(), setting.getValue()));
        return values;
    }
}
