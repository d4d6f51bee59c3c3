package io.skep.engine.function.hive;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.MapredContext;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.jspecify.annotations.Nullable;

/**
 * What Hive's classes expect to find around them: configuration, session state, task context, all made from the settings of
 * one of our sessions. Some of them look for the session state of their thread, so calls into them run in {@link #enter}.
 */
public final class HiveSession {
    private final Map<String, String> settings;
    private final ZoneId zone;
    private final ClassLoader classLoader;
    private @Nullable SessionState state;
    private @Nullable MapredContext taskContext;

    /**
     * @param settings hive.* settings, hive.local.time.zone (a zone id) among them
     * @param classLoader sees the classes of user functions
     */
    public HiveSession(Map<String, String> settings, ClassLoader classLoader) {
        this.settings = Map.copyOf(settings);
        this.classLoader = classLoader;
        this.zone = zone(settings.get("hive.local.time.zone"));
    }

    public ZoneId zone() {
        return zone;
    }

    public ClassLoader classLoader() {
        return classLoader;
    }

    /** A setting, when the session has it. */
    public @Nullable String setting(String name) {
        return settings.get(name);
    }

    /** Makes this the session of the thread until the scope is closed. */
    public Scope enter() {
        return new Scope(SessionState.get(), state());
    }

    /** One for the session: making it copies the whole configuration. Nothing is registered in it. */
    synchronized MapredContext taskContext() {
        MapredContext known = taskContext;
        if (known == null) {
            known = MapredContext.createDummy(state().getConf());
            taskContext = known;
        }
        return known;
    }

    private synchronized SessionState state() {
        if (state == null) {
            HiveConf conf = new HiveConf(Defaults.CONF);
            settings.forEach(conf::set);
            conf.set("hive.local.time.zone", zone.getId());
            conf.set("hive.session.id", "skep");
            SessionState made = new SessionState(conf);
            // The state has given the configuration a loader of its own, which does not see the classes of user
            // functions.
            conf.setClassLoader(classLoader);
            state = made;
        }
        return state;
    }

    private static ZoneId zone(@Nullable String id) {
        if (id == null || id.isEmpty() || id.equalsIgnoreCase("LOCAL")) {
            return ZoneId.systemDefault();
        }
        try {
            return ZoneId.of(id, ZoneId.SHORT_IDS);
        } catch (DateTimeException e) {
            return ZoneId.systemDefault();
        }
    }

    /** Loading Hive's configuration reads several files, so sessions copy one that is never changed. */
    private static final class Defaults {
        private static final HiveConf CONF = new HiveConf();
    }

    /** Restores what the thread had before. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable SessionState before;

        private Scope(@Nullable SessionState before, SessionState now) {
            this.before = before;
            SessionState.setCurrentSessionState(now);
        }

        @Override
        public void close() {
            if (before == null) {
                SessionState.detachSession();
            } else {
                SessionState.setCurrentSessionState(before);
            }
        }
    }
}
