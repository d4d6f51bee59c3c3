package io.skep.metastore.hive;

import io.skep.metastore.cache.ChangeFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.NotificationEventRequest;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.messaging.AlterTableMessage;
import org.apache.hadoop.hive.metastore.messaging.EventMessage.EventType;
import org.apache.hadoop.hive.metastore.messaging.MessageFactory;
import org.jspecify.annotations.NullUnmarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the notification log. Event numbers are assigned under a lock that is held until the commit. Therefore events
 * become visible in order and without gaps.
 */
@NullUnmarked
final class NotificationFeed implements ChangeFeed {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationFeed.class);

    private static final int MAX_EVENTS = 10_000;

    private final StorePool stores;
    private final NotificationLog log;
    private final boolean tellsAll;

    NotificationFeed(StorePool stores, NotificationLog log, boolean tellsAll) {
        this.stores = stores;
        this.log = log;
        this.tellsAll = tellsAll;
    }

    @Override
    public boolean isComplete() {
        return tellsAll;
    }

    @Override
    public long position() {
        return stores.read(
                "look at the notification log",
                store -> store.getCurrentNotificationEventId().getEventId());
    }

    @Override
    public long readNanos() {
        return stores.readNanos();
    }

    @Override
    public void expire() {
        int seconds = Math.toIntExact(MetastoreConf.getTimeVar(
                stores.configuration(), MetastoreConf.ConfVars.EVENT_DB_LISTENER_TTL, TimeUnit.SECONDS));
        stores.read("clean the notification log", store -> {
            store.cleanNotificationEvents(seconds);
            return true;
        });
    }

    @Override
    public Changes since(long position) {
        List<NotificationEvent> events = stores.read("read the notification log", store -> {
            NotificationEventRequest request = new NotificationEventRequest(position);
            request.setMaxEvents(MAX_EVENTS);
            return store.getNextNotification(request).getEvents();
        });
        long last = position;
        boolean complete = true;
        List<Change> changes = new ArrayList<>();
        for (NotificationEvent event : events) {
            complete &= event.getEventId() == last + 1;
            last = event.getEventId();
            if (!log.consumeOwnEvent(last) && event.getDbName() != null) {
                complete &= add(event, changes);
            }
        }
        if (events.isEmpty() && position() > position) {
            return new Changes(position(), false, List.of());
        }
        return new Changes(last, complete, changes);
    }

    /**
     * A renamed table has changed under both names, but the event's columns contain only one of them. Returns false
     * when the event cannot be read.
     */
    private static boolean add(NotificationEvent event, List<Change> changes) {
        changes.add(new Change(event.getDbName(), Optional.ofNullable(event.getTableName())));
        if (!EventType.ALTER_TABLE.toString().equals(event.getEventType())) {
            return true;
        }
        try {
            AlterTableMessage message = MessageFactory.getInstance(event.getMessageFormat())
                    .getDeserializer()
                    .getAlterTableMessage(event.getMessage());
            for (Table table : List.of(message.getTableObjBefore(), message.getTableObjAfter())) {
                changes.add(new Change(table.getDbName(), Optional.of(table.getTableName())));
            }
            return true;
        } catch (Exception e) {
            LOG.warn("event {} of the notification log cannot be read: {}", event.getEventId(), e.toString());
            return false;
        }
    }
}
