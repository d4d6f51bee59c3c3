package io.skep.llap.client.external;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.net.URI;
import java.util.List;

/**
 * A part of a query's rows that a program reads from a daemon or from the server.
 *
 * @param ticket what the reader shows; empty when the split only has a schema
 * @param locations where the ticket can be read, the best one first
 * @param schema the Arrow schema of the rows, as an IPC message
 * @param repeatable whether each read returns the same rows in the same order, so that another place can continue it
 */
public record ExternalSplit(byte[] ticket, List<URI> locations, byte[] schema, boolean repeatable) {
    private static final int VERSION = 1;

    public ExternalSplit {
        locations = List.copyOf(locations);
    }

    public byte[] encode() {
        return ExternalProto.Split.newBuilder()
                .setVersion(VERSION)
                .setTicket(ByteString.copyFrom(ticket))
                .addAllLocations(locations.stream().map(URI::toString).toList())
                .setSchema(ByteString.copyFrom(schema))
                .setRepeatable(repeatable)
                .build()
                .toByteArray();
    }

    /** @throws SkepException DAMAGED_MESSAGE, or NOT_SUPPORTED for a split of another release */
    public static ExternalSplit decode(byte[] bytes) {
        try {
            ExternalProto.Split split = ExternalProto.Split.parseFrom(bytes);
            if (split.getVersion() != VERSION) {
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "a split of version " + split.getVersion() + "; this reader knows version " + VERSION);
            }
            return new ExternalSplit(
                    split.getTicket().toByteArray(),
                    split.getLocationsList().stream().map(URI::create).toList(),
                    split.getSchema().toByteArray(),
                    split.getRepeatable());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a split is damaged: " + e.getMessage(), e);
        }
    }
}
