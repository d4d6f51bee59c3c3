package io.skep.reader;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.net.URI;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a program needs to send parts of a write to a server.
 *
 * @param ticket what the program shows
 * @param location of the server
 * @param schema the Arrow schema of the rows, as an IPC message
 */
public record ExternalWrite(byte[] ticket, URI location, byte[] schema) {
    /** The header of a call with the ticket. It arrives before the rows. */
    public static final String HEADER = "skep-ticket-bin";

    private static final int VERSION = 1;

    /** Returns the schema of the rows. */
    public Schema arrowSchema() {
        return Schema.deserializeMessage(ByteBuffer.wrap(schema));
    }

    public byte[] encode() {
        return ReaderProto.Write.newBuilder()
                .setVersion(VERSION)
                .setTicket(ByteString.copyFrom(ticket))
                .setLocation(location.toString())
                .setSchema(ByteString.copyFrom(schema))
                .build()
                .toByteArray();
    }

    /** @throws ReadException DAMAGED_MESSAGE, or NOT_SUPPORTED for a server of another release */
    public static ExternalWrite decode(byte[] bytes) {
        try {
            ReaderProto.Write write = ReaderProto.Write.parseFrom(bytes);
            if (write.getVersion() != VERSION) {
                throw new ReadException(
                        ReadErrorCode.NOT_SUPPORTED,
                        "a write ticket of version " + write.getVersion() + "; this writer knows version " + VERSION);
            }
            return new ExternalWrite(
                    write.getTicket().toByteArray(),
                    URI.create(write.getLocation()),
                    write.getSchema().toByteArray());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new ReadException(ReadErrorCode.DAMAGED_MESSAGE, "a write ticket is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * A part that has arrived.
     *
     * @param number names it when the write is committed; 0 while the server waits for rows
     */
    public record Part(long number, long rows) {
        public byte[] encode() {
            return ReaderProto.Part.newBuilder()
                    .setNumber(number)
                    .setRows(rows)
                    .build()
                    .toByteArray();
        }

        static Part decode(byte[] bytes) {
            try {
                ReaderProto.Part part = ReaderProto.Part.parseFrom(bytes);
                return new Part(part.getNumber(), part.getRows());
            } catch (InvalidProtocolBufferException e) {
                throw new ReadException(ReadErrorCode.DAMAGED_MESSAGE, "an answer is damaged: " + e.getMessage(), e);
            }
        }
    }
}
