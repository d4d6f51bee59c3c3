package io.skep.reader;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

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

    /** Returns the schema of the rows. */
    public Schema arrowSchema() {
        return Schema.deserializeMessage(ByteBuffer.wrap(schema));
    }

    public byte[] encode() {
        return ReaderProto.Split.newBuilder()
                .setVersion(VERSION)
                .setTicket(ByteString.copyFrom(ticket))
                .addAllLocations(locations.stream().map(URI::toString).toList())
                .setSchema(ByteString.copyFrom(schema))
                .setRepeatable(repeatable)
                .build()
                .toByteArray();
    }

    /** @throws ReadException DAMAGED_MESSAGE, or NOT_SUPPORTED for a split of another release */
    public static ExternalSplit decode(byte[] bytes) {
        try {
            ReaderProto.Split split = ReaderProto.Split.parseFrom(bytes);
            if (split.getVersion() != VERSION) {
                throw new ReadException(
                        ReadErrorCode.NOT_SUPPORTED,
                        "a split of version " + split.getVersion() + "; this reader knows version " + VERSION);
            }
            return new ExternalSplit(
                    split.getTicket().toByteArray(),
                    split.getLocationsList().stream().map(URI::create).toList(),
                    split.getSchema().toByteArray(),
                    split.getRepeatable());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new ReadException(ReadErrorCode.DAMAGED_MESSAGE, "a split is damaged: " + e.getMessage(), e);
        }
    }
}
