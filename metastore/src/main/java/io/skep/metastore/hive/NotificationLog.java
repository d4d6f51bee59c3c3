package io.skep.metastore.hive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.ColumnStatistics;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.Function;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.messaging.EventMessage;
import org.apache.hadoop.hive.metastore.messaging.EventMessage.EventType;
import org.apache.hadoop.hive.metastore.messaging.MessageBuilder;
import org.apache.hadoop.hive.metastore.messaging.MessageEncoder;
import org.apache.hadoop.hive.metastore.messaging.json.JSONMessageEncoder;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Writes a change's event in the transaction of the change, as Hive's own listener does. Other servers of Hive and Skep
 * on the same database read it. A database that only this process can open has no readers and no log.
 */
@NullUnmarked
final class NotificationLog {
    private final boolean shared;
    private final boolean toldApart;

    /** Events of transactions that have not ended. A store runs one transaction at a time. */
    private final ConcurrentHashMap<RawStore, List<Long>> pending = new ConcurrentHashMap<>();

    /** Committed events of this server for which {@link #consumeOwnEvent} was not called yet. */
    private final Set<Long> own = ConcurrentHashMap.newKeySet();

    private final @Nullable MessageBuilder messages;
    private final @Nullable JSONMessageEncoder encoder;

    /**
     * @param shared whether others use the database
     * @param toldApart whether {@link #consumeOwnEvent} is called for each event
     */
    NotificationLog(boolean shared, boolean toldApart) {
        this.shared = shared;
        this.toldApart = toldApart;
        this.messages = shared ? MessageBuilder.getInstance() : null;
        this.encoder = shared ? new JSONMessageEncoder() : null;
    }

    /**
     * The event numbers are final only after the commit. Numbers of a transaction that is rolled back are assigned
     * again.
     */
    void ended(RawStore store, boolean committed) {
        List<Long> events = pending.remove(store);
        if (events != null && committed && toldApart) {
            own.addAll(events);
        }
    }

    /** Whether this server wrote an event. Called once for each event. */
    boolean consumeOwnEvent(long event) {
        return own.remove(event);
    }

    void createdDatabase(RawStore store, Database database) throws MetaException {
        if (shared) {
            append(
                    store,
                    EventType.CREATE_DATABASE,
                    database.getName(),
                    null,
                    messages.buildCreateDatabaseMessage(database));
        }
    }

    void alteredDatabase(RawStore store, Database before, Database after) throws MetaException {
        if (shared) {
            append(
                    store,
                    EventType.ALTER_DATABASE,
                    after.getName(),
                    null,
                    messages.buildAlterDatabaseMessage(before, after));
        }
    }

    void droppedDatabase(RawStore store, Database database) throws MetaException {
        if (shared) {
            append(
                    store,
                    EventType.DROP_DATABASE,
                    database.getName(),
                    null,
                    messages.buildDropDatabaseMessage(database));
        }
    }

    void createdTable(RawStore store, Table table) throws MetaException {
        if (shared) {
            append(store, EventType.CREATE_TABLE, table, messages.buildCreateTableMessage(table, noFiles()));
        }
    }

    void alteredTable(RawStore store, Table before, Table after) throws MetaException {
        if (shared) {
            append(store, EventType.ALTER_TABLE, before, messages.buildAlterTableMessage(before, after, false, -1L));
        }
    }

    void droppedTable(RawStore store, Table table) throws MetaException {
        if (shared) {
            append(store, EventType.DROP_TABLE, table, messages.buildDropTableMessage(table));
        }
    }

    void addedPartitions(RawStore store, Table table, Iterator<Partition> partitions) throws MetaException {
        if (shared) {
            EventMessage message = messages.buildAddPartitionMessage(table, partitions, Collections.emptyIterator());
            append(store, EventType.ADD_PARTITION, table, message);
        }
    }

    void alteredPartition(RawStore store, Table table, Partition before, Partition after) throws MetaException {
        if (shared) {
            EventMessage message = messages.buildAlterPartitionMessage(table, before, after, false, -1L);
            append(store, EventType.ALTER_PARTITION, table, message);
        }
    }

    void droppedPartitions(RawStore store, Table table, Iterator<Partition> partitions) throws MetaException {
        if (shared) {
            append(store, EventType.DROP_PARTITION, table, messages.buildDropPartitionMessage(table, partitions));
        }
    }

    void updatedTableStatistics(
            RawStore store, Table table, ColumnStatistics statistics, Map<String, String> parameters)
            throws MetaException {
        if (shared) {
            EventMessage message = messages.buildUpdateTableColumnStatMessage(statistics, table, parameters, -1);
            append(store, EventType.UPDATE_TABLE_COLUMN_STAT, table, message);
        }
    }

    void updatedPartitionStatistics(
            RawStore store,
            Table table,
            ColumnStatistics statistics,
            List<String> values,
            Map<String, String> parameters)
            throws MetaException {
        if (shared) {
            EventMessage message =
                    messages.buildUpdatePartitionColumnStatMessage(statistics, values, parameters, table, -1);
            append(store, EventType.UPDATE_PARTITION_COLUMN_STAT, table, message);
        }
    }

    void createdFunction(RawStore store, Function function) throws MetaException {
        if (shared) {
            append(
                    store,
                    EventType.CREATE_FUNCTION,
                    function.getDbName(),
                    null,
                    messages.buildCreateFunctionMessage(function));
        }
    }

    void droppedFunction(RawStore store, Function function) throws MetaException {
        if (shared) {
            append(
                    store,
                    EventType.DROP_FUNCTION,
                    function.getDbName(),
                    null,
                    messages.buildDropFunctionMessage(function));
        }
    }

    private static Iterator<String> noFiles() {
        return Collections.emptyIterator();
    }

    private void append(RawStore store, EventType type, Table table, EventMessage message) throws MetaException {
        append(store, type, table.getDbName(), table.getTableName(), message);
    }

    private void append(RawStore store, EventType type, String database, @Nullable String table, EventMessage message)
            throws MetaException {
        NotificationEvent event = event(type, TableConversion.CATALOG, database, table, message, encoder);
        store.addNotificationEvent(event);
        pending.computeIfAbsent(store, s -> new ArrayList<>()).add(event.getEventId());
    }

    /** Returns an event of this moment, without its number. */
    static NotificationEvent event(
            EventType type,
            String catalog,
            String database,
            @Nullable String table,
            EventMessage message,
            MessageEncoder encoder)
            throws MetaException {
        int now = Math.toIntExact(System.currentTimeMillis() / 1000);
        NotificationEvent event = new NotificationEvent(
                0, now, type.toString(), encoder.getSerializer().serialize(message));
        event.setMessageFormat(encoder.getMessageFormat());
        event.setCatName(catalog);
        event.setDbName(database);
        event.setTableName(table);
        return event;
    }
}
