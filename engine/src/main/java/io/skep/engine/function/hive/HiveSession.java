package io.skep.engine.function.hive;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.MapredContext;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.jspecify.annotations.Nullable;

/**
 * The environment that Hive's classes require: configuration, session state and task context, all created from the
 * settings of a Skep session. Some classes use the session state of their thread, so calls of them run within
 * {@link #enter}.
 */
public final class HiveSession {
    private final Map<String, String> settings;
    private final ZoneId zone;
    private final ClassLoader classLoader;

    @GuardedBy("this")
    private @Nullable SessionState state;

    @GuardedBy("this")
    private @Nullable MapredContext taskContext;

    /**
     * @param settings hive.* settings, including hive.local.time.zone (a zone id)
     * @param classLoader a class loader that can load the classes of user functions
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

    /** Returns the session's settings by name. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Makes this the session of the thread until the scope is closed. */
    public Scope enter() {
        return new Scope(SessionState.get(), state());
    }

    /**
     * Returns the task context, which is created once per session because that copies the whole configuration. Nothing
     * is registered in it.
     */
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
            // The session state has given the configuration its own class loader, which cannot load the classes of user
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

    /**
     * Holds a configuration that is never changed. Sessions copy it, because loading Hive's configuration reads several
     * files.
     */
    private static final class Defaults {
        private static final HiveConf CONF = new HiveConf();
    }

    /** Restores the thread's previous session. */
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
