package io.skep.metastore.hive;

import io.skep.metastore.MetastoreConfig;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;

/** The settings of Hive's metastore service: those of a server's library, and what only the service reads. */
public final class ServiceSettings {
    /** Hive's clients send filters on partitions as expressions of Hive's compiler. */
    private static final String EXPRESSIONS = "org.apache.hadoop.hive.ql.optimizer.ppr.PartitionExpressionForMetastore";

    /** Deletes files that a hook of Hive's server writes. The library names it, and Hive's compiler has it. */
    private static final String PROTO_EVENTS = "org.apache.hadoop.hive.metastore.HiveProtoEventsCleanerTask";

    private static final String TRANSFORMER = "metastore.metadata.transformer.class";

    /** Hive treats a blank value as none. An empty one would be the default. */
    private static final String NONE = " ";

    private ServiceSettings() {}

    /**
     * @param connectionUrl the database's URL, with its limits
     * @param host name or address to listen on
     * @param port the port to listen on, which is not 0
     */
    public static Configuration of(MetastoreConfig config, String connectionUrl, String host, int port) {
        Configuration settings = LibrarySettings.of(config, connectionUrl);
        MetastoreConf.setVar(settings, ConfVars.THRIFT_BIND_HOST, host);
        MetastoreConf.setLongVar(settings, ConfVars.SERVER_PORT, port);
        MetastoreConf.setVar(settings, ConfVars.EXPRESSION_PROXY_CLASS, EXPRESSIONS);
        // The addresses of the site name this service. It works on the database itself.
        MetastoreConf.setVar(settings, ConfVars.THRIFT_URIS, "");
        String transactional = others(MetastoreConf.getVar(settings, ConfVars.TRANSACTIONAL_EVENT_LISTENERS));
        String own = ServiceEvents.class.getName();
        MetastoreConf.setVar(
                settings,
                ConfVars.TRANSACTIONAL_EVENT_LISTENERS,
                transactional.isEmpty() ? own : transactional + "," + own);
        MetastoreConf.setVar(
                settings, ConfVars.EVENT_LISTENERS, others(MetastoreConf.getVar(settings, ConfVars.EVENT_LISTENERS)));
        MetastoreConf.setVar(
                settings,
                ConfVars.TASK_THREADS_ALWAYS,
                tasks(MetastoreConf.getVar(settings, ConfVars.TASK_THREADS_ALWAYS)));
        // Managed tables stay managed, as those of a server, unless the site says otherwise.
        settings.setIfUnset(TRANSFORMER, NONE);
        return settings;
    }

    /** Returns the listeners of a list without Hive's, whose place {@link ServiceEvents} takes. */
    private static String others(String listeners) {
        return names(listeners)
                .filter(name -> !MetastoreConfig.isLogWriter(name))
                .collect(Collectors.joining(","));
    }

    /** Returns the tasks of a list with {@link EventExpiry}, and without the one that is not in the library. */
    private static String tasks(String tasks) {
        Stream<String> known = names(tasks).filter(name -> !name.equals(PROTO_EVENTS));
        return Stream.concat(known, Stream.of(EventExpiry.class.getName())).collect(Collectors.joining(","));
    }

    private static Stream<String> names(String list) {
        return Arrays.stream(list.split(",", -1)).map(String::strip).filter(name -> !name.isEmpty());
    }
}
