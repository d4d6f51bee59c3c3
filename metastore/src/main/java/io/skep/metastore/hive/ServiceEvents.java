package io.skep.metastore.hive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.MetaStoreEventListenerConstants;
import org.apache.hadoop.hive.metastore.TransactionalMetaStoreEventListener;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsDesc;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.Function;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.SQLCheckConstraint;
import org.apache.hadoop.hive.metastore.api.SQLDefaultConstraint;
import org.apache.hadoop.hive.metastore.api.SQLForeignKey;
import org.apache.hadoop.hive.metastore.api.SQLNotNullConstraint;
import org.apache.hadoop.hive.metastore.api.SQLPrimaryKey;
import org.apache.hadoop.hive.metastore.api.SQLUniqueConstraint;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.events.AddCheckConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddDefaultConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddForeignKeyEvent;
import org.apache.hadoop.hive.metastore.events.AddNotNullConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddPartitionEvent;
import org.apache.hadoop.hive.metastore.events.AddPrimaryKeyEvent;
import org.apache.hadoop.hive.metastore.events.AddUniqueConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AlterDatabaseEvent;
import org.apache.hadoop.hive.metastore.events.AlterPartitionEvent;
import org.apache.hadoop.hive.metastore.events.AlterTableEvent;
import org.apache.hadoop.hive.metastore.events.CreateDatabaseEvent;
import org.apache.hadoop.hive.metastore.events.CreateFunctionEvent;
import org.apache.hadoop.hive.metastore.events.CreateTableEvent;
import org.apache.hadoop.hive.metastore.events.DeletePartitionColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.DeleteTableColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.DropConstraintEvent;
import org.apache.hadoop.hive.metastore.events.DropDatabaseEvent;
import org.apache.hadoop.hive.metastore.events.DropFunctionEvent;
import org.apache.hadoop.hive.metastore.events.DropPartitionEvent;
import org.apache.hadoop.hive.metastore.events.DropTableEvent;
import org.apache.hadoop.hive.metastore.events.InsertEvent;
import org.apache.hadoop.hive.metastore.events.ListenerEvent;
import org.apache.hadoop.hive.metastore.events.UpdatePartitionColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.UpdatePartitionColumnStatEventBatch;
import org.apache.hadoop.hive.metastore.events.UpdateTableColumnStatEvent;
import org.apache.hadoop.hive.metastore.messaging.EventMessage;
import org.apache.hadoop.hive.metastore.messaging.EventMessage.EventType;
import org.apache.hadoop.hive.metastore.messaging.MessageBuilder;
import org.apache.hadoop.hive.metastore.messaging.MessageEncoder;
import org.apache.hadoop.hive.metastore.messaging.MessageFactory;
import org.apache.hadoop.hive.metastore.tools.SQLGenerator;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of Hive's metastore service to the notification log, each in the transaction of the change. The
 * service makes it by name. Hive's own listener of the library's version is not published.
 *
 * <p>The log has an event for each change that a server caches. It has none for transactions of ACID tables, catalogs
 * other than by the name in an event, data connectors and schemas, which servers do not read.
 */
@NullUnmarked
public final class ServiceEvents extends TransactionalMetaStoreEventListener {
    private final MessageBuilder messages = MessageBuilder.getInstance();
    private final MessageEncoder encoder;

    public ServiceEvents(Configuration settings) {
        super(settings);
        this.encoder = MessageFactory.getDefaultInstance(settings);
    }

    /** Clients that report an INSERT get the event's number in answer. */
    @Override
    public boolean doesAddEventsToNotificationLogTable() {
        return true;
    }

    @Override
    public void onCreateDatabase(CreateDatabaseEvent event) throws MetaException {
        Database database = event.getDatabase();
        append(event, EventType.CREATE_DATABASE, database, messages.buildCreateDatabaseMessage(database));
    }

    @Override
    public void onAlterDatabase(AlterDatabaseEvent event) throws MetaException {
        Database before = event.getOldDatabase();
        append(
                event,
                EventType.ALTER_DATABASE,
                before,
                messages.buildAlterDatabaseMessage(before, event.getNewDatabase()));
    }

    @Override
    public void onDropDatabase(DropDatabaseEvent event) throws MetaException {
        Database database = event.getDatabase();
        append(event, EventType.DROP_DATABASE, database, messages.buildDropDatabaseMessage(database));
    }

    @Override
    public void onCreateTable(CreateTableEvent event) throws MetaException {
        Table table = event.getTable();
        append(event, EventType.CREATE_TABLE, table, messages.buildCreateTableMessage(table, none()));
    }

    @Override
    public void onAlterTable(AlterTableEvent event) throws MetaException {
        Table before = event.getOldTable();
        EventMessage message = messages.buildAlterTableMessage(
                before, event.getNewTable(), event.getIsTruncateOp(), event.getWriteId());
        append(event, EventType.ALTER_TABLE, before, message);
    }

    @Override
    public void onDropTable(DropTableEvent event) throws MetaException {
        append(event, EventType.DROP_TABLE, event.getTable(), messages.buildDropTableMessage(event.getTable()));
    }

    @Override
    public void onAddPartition(AddPartitionEvent event) throws MetaException {
        EventMessage message =
                messages.buildAddPartitionMessage(event.getTable(), event.getPartitionIterator(), none());
        append(event, EventType.ADD_PARTITION, event.getTable(), message);
    }

    @Override
    public void onAlterPartition(AlterPartitionEvent event) throws MetaException {
        EventMessage message = messages.buildAlterPartitionMessage(
                event.getTable(),
                event.getOldPartition(),
                event.getNewPartition(),
                event.getIsTruncateOp(),
                event.getWriteId());
        append(event, EventType.ALTER_PARTITION, event.getTable(), message);
    }

    @Override
    public void onDropPartition(DropPartitionEvent event) throws MetaException {
        EventMessage message = messages.buildDropPartitionMessage(event.getTable(), event.getPartitionIterator());
        append(event, EventType.DROP_PARTITION, event.getTable(), message);
    }

    @Override
    public void onInsert(InsertEvent event) throws MetaException {
        EventMessage message = messages.buildInsertMessage(
                event.getTableObj(),
                event.getPartitionObj(),
                event.isReplace(),
                event.getFiles().iterator());
        append(event, EventType.INSERT, event.getTableObj(), message);
    }

    @Override
    public void onCreateFunction(CreateFunctionEvent event) throws MetaException {
        Function function = event.getFunction();
        append(event, EventType.CREATE_FUNCTION, function, messages.buildCreateFunctionMessage(function));
    }

    @Override
    public void onDropFunction(DropFunctionEvent event) throws MetaException {
        Function function = event.getFunction();
        append(event, EventType.DROP_FUNCTION, function, messages.buildDropFunctionMessage(function));
    }

    @Override
    public void onUpdateTableColumnStat(UpdateTableColumnStatEvent event) throws MetaException {
        EventMessage message = messages.buildUpdateTableColumnStatMessage(
                event.getColStats(), event.getTableObj(), event.getTableParameters(), event.getWriteId());
        append(event, EventType.UPDATE_TABLE_COLUMN_STAT, event.getColStats().getStatsDesc(), message);
    }

    @Override
    public void onDeleteTableColumnStat(DeleteTableColumnStatEvent event) throws MetaException {
        EventMessage message = messages.buildDeleteTableColumnStatMessage(event.getDBName(), event.getColName());
        append(
                event,
                EventType.DELETE_TABLE_COLUMN_STAT,
                event.getCatName(),
                event.getDBName(),
                event.getTableName(),
                message);
    }

    @Override
    public void onUpdatePartitionColumnStat(UpdatePartitionColumnStatEvent event) throws MetaException {
        append(
                event,
                EventType.UPDATE_PARTITION_COLUMN_STAT,
                event.getPartColStats().getStatsDesc(),
                message(event));
    }

    /** Called while the library's store lends its connection, so the store itself cannot write the events. */
    @Override
    public void onUpdatePartitionColumnStatInBatch(
            UpdatePartitionColumnStatEventBatch event, Connection connection, SQLGenerator sql) throws MetaException {
        List<NotificationEvent> events = new ArrayList<>();
        for (int i = 0; i < event.getNumEntries(); i++) {
            UpdatePartitionColumnStatEvent one = event.getPartColStatEvent(i);
            ColumnStatisticsDesc what = one.getPartColStats().getStatsDesc();
            events.add(entry(
                    EventType.UPDATE_PARTITION_COLUMN_STAT,
                    what.getCatName(),
                    what.getDbName(),
                    what.getTableName(),
                    message(one)));
        }
        try {
            new NotificationSql(connection, sql).append(events);
        } catch (SQLException e) {
            MetaException failure = new MetaException("the notification log cannot be written: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private EventMessage message(UpdatePartitionColumnStatEvent event) {
        return messages.buildUpdatePartitionColumnStatMessage(
                event.getPartColStats(),
                event.getPartVals(),
                event.getPartParameters(),
                event.getTableObj(),
                event.getWriteId());
    }

    @Override
    public void onDeletePartitionColumnStat(DeletePartitionColumnStatEvent event) throws MetaException {
        EventMessage message = messages.buildDeletePartitionColumnStatMessage(
                event.getDBName(), event.getColName(), event.getPartName(), event.getPartVals());
        append(
                event,
                EventType.DELETE_PARTITION_COLUMN_STAT,
                event.getCatName(),
                event.getDBName(),
                event.getTableName(),
                message);
    }

    @Override
    public void onAddPrimaryKey(AddPrimaryKeyEvent event) throws MetaException {
        List<SQLPrimaryKey> columns = event.getPrimaryKeyCols();
        if (!columns.isEmpty()) {
            SQLPrimaryKey one = columns.getFirst();
            EventMessage message = messages.buildAddPrimaryKeyMessage(columns);
            append(event, EventType.ADD_PRIMARYKEY, one.getCatName(), one.getTable_db(), one.getTable_name(), message);
        }
    }

    @Override
    public void onAddForeignKey(AddForeignKeyEvent event) throws MetaException {
        List<SQLForeignKey> columns = event.getForeignKeyCols();
        if (!columns.isEmpty()) {
            SQLForeignKey one = columns.getFirst();
            EventMessage message = messages.buildAddForeignKeyMessage(columns);
            append(
                    event,
                    EventType.ADD_FOREIGNKEY,
                    one.getCatName(),
                    one.getFktable_db(),
                    one.getFktable_name(),
                    message);
        }
    }

    @Override
    public void onAddUniqueConstraint(AddUniqueConstraintEvent event) throws MetaException {
        List<SQLUniqueConstraint> columns = event.getUniqueConstraintCols();
        if (!columns.isEmpty()) {
            SQLUniqueConstraint one = columns.getFirst();
            EventMessage message = messages.buildAddUniqueConstraintMessage(columns);
            append(
                    event,
                    EventType.ADD_UNIQUECONSTRAINT,
                    one.getCatName(),
                    one.getTable_db(),
                    one.getTable_name(),
                    message);
        }
    }

    @Override
    public void onAddNotNullConstraint(AddNotNullConstraintEvent event) throws MetaException {
        List<SQLNotNullConstraint> columns = event.getNotNullConstraintCols();
        if (!columns.isEmpty()) {
            SQLNotNullConstraint one = columns.getFirst();
            EventMessage message = messages.buildAddNotNullConstraintMessage(columns);
            append(
                    event,
                    EventType.ADD_NOTNULLCONSTRAINT,
                    one.getCatName(),
                    one.getTable_db(),
                    one.getTable_name(),
                    message);
        }
    }

    @Override
    public void onAddDefaultConstraint(AddDefaultConstraintEvent event) throws MetaException {
        List<SQLDefaultConstraint> columns = event.getDefaultConstraintCols();
        if (!columns.isEmpty()) {
            SQLDefaultConstraint one = columns.getFirst();
            EventMessage message = messages.buildAddDefaultConstraintMessage(columns);
            append(
                    event,
                    EventType.ADD_DEFAULTCONSTRAINT,
                    one.getCatName(),
                    one.getTable_db(),
                    one.getTable_name(),
                    message);
        }
    }

    @Override
    public void onAddCheckConstraint(AddCheckConstraintEvent event) throws MetaException {
        List<SQLCheckConstraint> columns = event.getCheckConstraintCols();
        if (!columns.isEmpty()) {
            SQLCheckConstraint one = columns.getFirst();
            EventMessage message = messages.buildAddCheckConstraintMessage(columns);
            append(
                    event,
                    EventType.ADD_CHECKCONSTRAINT,
                    one.getCatName(),
                    one.getTable_db(),
                    one.getTable_name(),
                    message);
        }
    }

    @Override
    public void onDropConstraint(DropConstraintEvent event) throws MetaException {
        EventMessage message =
                messages.buildDropConstraintMessage(event.getDbName(), event.getTableName(), event.getConstraintName());
        append(event, EventType.DROP_CONSTRAINT, event.getCatName(), event.getDbName(), event.getTableName(), message);
    }

    private static <T> Iterator<T> none() {
        return Collections.emptyIterator();
    }

    private void append(ListenerEvent event, EventType type, Database database, EventMessage message)
            throws MetaException {
        append(event, type, database.getCatalogName(), database.getName(), null, message);
    }

    private void append(ListenerEvent event, EventType type, Table table, EventMessage message) throws MetaException {
        append(event, type, table.getCatName(), table.getDbName(), table.getTableName(), message);
    }

    private void append(ListenerEvent event, EventType type, Function function, EventMessage message)
            throws MetaException {
        append(event, type, function.getCatName(), function.getDbName(), null, message);
    }

    private void append(ListenerEvent event, EventType type, ColumnStatisticsDesc of, EventMessage message)
            throws MetaException {
        append(event, type, of.getCatName(), of.getDbName(), of.getTableName(), message);
    }

    /** The store is that of the calling thread, whose transaction is the change's. */
    private void append(
            ListenerEvent event,
            EventType type,
            @Nullable String catalog,
            String database,
            @Nullable String table,
            EventMessage message)
            throws MetaException {
        NotificationEvent entry = entry(type, catalog, database, table, message);
        event.getIHMSHandler().getMS().addNotificationEvent(entry);
        event.putParameter(
                MetaStoreEventListenerConstants.DB_NOTIFICATION_EVENT_ID_KEY_NAME, Long.toString(entry.getEventId()));
    }

    private NotificationEvent entry(
            EventType type, @Nullable String catalog, String database, @Nullable String table, EventMessage message)
            throws MetaException {
        String known = catalog == null ? TableConversion.CATALOG : catalog;
        return NotificationLog.event(type, known, database, table, message, encoder);
    }
}
