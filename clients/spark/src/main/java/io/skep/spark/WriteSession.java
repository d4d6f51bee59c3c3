package io.skep.spark;

import io.skep.reader.ExternalWrite;
import io.skep.spark.TableWrite.HiveColumn;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.types.StructType;

/** The session of a write with its temporary table. Only Spark's driver has one. */
final class WriteSession implements AutoCloseable {
    private final ServerConnection server;
    private final TableWrite write;
    private final String staging;
    private final ExternalWrite access;

    private WriteSession(ServerConnection server, TableWrite write, String staging, ExternalWrite access) {
        this.server = server;
        this.write = write;
        this.staging = staging;
        this.access = access;
    }

    /**
     * Opens a session and begins the write. The server checks already here that the user may do it.
     *
     * @throws ServerException when the user may not, or when the server takes no parts
     * @throws IllegalStateException when the table has other columns by now
     */
    static WriteSession open(SkepOptions options, TableWrite write) {
        ServerConnection server = ServerConnection.open(options);
        try {
            String staging = "skep_write_" + UUID.randomUUID().toString().replace("-", "");
            List<HiveColumn> columns = server.described(write.table());
            requireSame(write.declared(), ServerConnection.types(columns));
            if (ColumnTypes.partitions(write.declared()).length > 0) {
                server.run("SET hive.exec.dynamic.partition.mode=nonstrict");
            }
            server.run(write.create(staging, columns));
            server.run("EXPLAIN " + write.insert(staging));
            return new WriteSession(server, write, staging, server.writeTicket(TableWrite.ticket(staging)));
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static void requireSame(StructType declared, StructType now) {
        if (!now.catalogString().equals(declared.catalogString())) {
            throw new IllegalStateException("Skep: the columns of the table have changed, from "
                    + declared.catalogString() + " to " + now.catalogString() + "; make the write again");
        }
    }

    /** What tasks need to send parts. */
    ExternalWrite access() {
        return access;
    }

    /** Inserts the rows of some parts into the table: all or none. */
    void commit(List<Long> parts) {
        server.run(TableWrite.commit(staging, parts));
        server.run(write.insert(staging));
    }

    /** Ends the session, and with it all that is not committed. */
    @Override
    public void close() {
        server.close();
    }
}
