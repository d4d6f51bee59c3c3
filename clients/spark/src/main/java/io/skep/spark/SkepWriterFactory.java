package io.skep.spark;

import io.skep.reader.ExternalWrite;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's tasks need to write.
 *
 * @param access the ticket, the server and the schema, as bytes
 * @param certificates file with the authorities that certify servers
 * @param zone the name of the zone in which instants are wall clocks
 */
record SkepWriterFactory(byte[] access, @Nullable String certificates, String zone) implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
        return new SkepDataWriter(
                ExternalWrite.decode(access),
                Optional.ofNullable(certificates).map(Path::of),
                new WallClock(ZoneId.of(zone)));
    }

    /** Without the ticket: its holder can add rows to the write. */
    @Override
    public String toString() {
        return "SkepWriterFactory[" + zone + "]";
    }
}
