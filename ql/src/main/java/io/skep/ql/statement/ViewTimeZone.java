package io.skep.ql.statement;

import io.skep.metastore.Table;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

/** The time zone of the session that filled a materialized view, on which the values of some functions depend. */
public final class ViewTimeZone {
    /** A property of the view, which users do not see. */
    public static final String PROPERTY = "skep.materialization.time-zone";

    private ViewTimeZone() {}

    /** Returns a view's properties with the zone. */
    public static Map<String, String> recorded(Map<String, String> properties, ZoneId zone) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put(PROPERTY, zone.getId());
        return all;
    }

    /** Whether a view was filled in a zone. Hive does not record it; its sessions have the system's zone by default. */
    public static boolean isOf(Table view, ZoneId zone) {
        return zone.getId()
                .equals(view.properties()
                        .getOrDefault(PROPERTY, ZoneId.systemDefault().getId()));
    }
}
