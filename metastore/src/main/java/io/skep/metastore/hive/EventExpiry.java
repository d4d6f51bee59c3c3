package io.skep.metastore.hive;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HMSHandler;
import org.apache.hadoop.hive.metastore.MetastoreTaskThread;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.jspecify.annotations.NullUnmarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes old events of the notification log. The metastore service runs it at an interval. */
@NullUnmarked
public final class EventExpiry implements MetastoreTaskThread {
    private static final Logger LOG = LoggerFactory.getLogger(EventExpiry.class);

    private Configuration settings;

    @Override
    public void setConf(Configuration conf) {
        settings = conf;
    }

    @Override
    public Configuration getConf() {
        return settings;
    }

    @Override
    public long runFrequency(TimeUnit unit) {
        return MetastoreConf.getTimeVar(settings, ConfVars.EVENT_DB_LISTENER_CLEAN_INTERVAL, unit);
    }

    @Override
    public void run() {
        int seconds =
                Math.toIntExact(MetastoreConf.getTimeVar(settings, ConfVars.EVENT_DB_LISTENER_TTL, TimeUnit.SECONDS));
        try {
            HMSHandler.getMSForConf(settings).cleanNotificationEvents(seconds);
        } catch (MetaException | RuntimeException e) {
            // An exception would end the task for good.
            LOG.warn("the notification log was not cleaned: {}; it is tried again", e.toString());
        }
    }
}
