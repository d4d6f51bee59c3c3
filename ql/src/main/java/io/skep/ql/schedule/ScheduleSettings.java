package io.skep.ql.schedule;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import java.util.List;

/** Settings of sessions for scheduled queries, with Hive's names. */
public final class ScheduleSettings {
    /** Servers run the queries of one namespace. */
    public static final Property<String> NAMESPACE = new Property<>(
            "hive.scheduled.queries.namespace",
            PropertyType.text(),
            "hive",
            "Namespace of scheduled queries. Statements find those of their session's namespace, and a server runs "
                    + "those of its own.");

    static final Property<Boolean> CREATE_AS_ENABLED = new Property<>(
            "hive.scheduled.queries.create.as.enabled",
            PropertyType.flag(),
            "true",
            "Whether a scheduled query is enabled that is created with neither ENABLE nor DISABLE.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(NAMESPACE, CREATE_AS_ENABLED);

    private ScheduleSettings() {}
}
