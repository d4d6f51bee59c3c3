package io.skep.ql.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.config.RenamedSettings;
import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreSettings;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hive.conf.HiveConf;
import org.jspecify.annotations.Nullable;

/**
 * A session's settings. Values set by the session override the server's configuration, which overrides Hive's defaults.
 * Owned by the session, whose statements run one at a time. Reads from other threads see some recent state.
 */
public final class SessionSettings {
    private static final String TIME_ZONE = "hive.local.time.zone";
    private static final String SETTING = "setting ";
    private static final String VARIABLE = "variable ";

    private final SettingRules rules;
    private final SessionMemory memory;
    private final KnownSettings ours;
    private final Map<String, String> server;

    @GuardedBy("this")
    private final SortedMap<String, String> overrides = new TreeMap<>();

    @GuardedBy("this")
    private final SortedMap<String, String> variables = new TreeMap<>();
    /** A cache for repeated reads by statements; cleared by each change. */
    @GuardedBy("this")
    private @Nullable SortedMap<String, String> knownExplicit;

    @GuardedBy("this")
    private @Nullable Map<String, String> knownForRun;

    /**
     * @param ours settings that Skep reads itself
     * @param server settings of the site files
     */
    public SessionSettings(KnownSettings ours, Map<String, String> server) {
        this(new SettingRules(ours, server));
    }

    public SessionSettings(SettingRules rules) {
        this.rules = rules;
        this.memory = new SessionMemory(rules.memory());
        this.ours = rules.ours();
        this.server = rules.server();
    }

    public SettingRules rules() {
        return rules;
    }

    /** Returns the account of what the session keeps, including its settings. */
    SessionMemory memory() {
        return memory;
    }

    private static final String HIVE = "hive.";
    private static final String VALIDATION = "hive.conf.validation";

    /** The source of an effective value. */
    public enum Origin {
        SESSION,
        SERVER,
        DEFAULT
    }

    public synchronized Optional<String> get(String key) {
        String value = overrides.get(key);
        if (value == null) {
            value = server.get(key);
        }
        return Optional.ofNullable(value == null ? defaultValue(key) : value);
    }

    public synchronized Origin origin(String key) {
        if (overrides.containsKey(key)) {
            return Origin.SESSION;
        }
        return server.containsKey(key) ? Origin.SERVER : Origin.DEFAULT;
    }

    public boolean getBoolean(String key) {
        return get(key).map(Boolean::parseBoolean).orElse(false);
    }

    private @Nullable String defaultValue(String key) {
        HiveConf.ConfVars known = HiveConf.getConfVars(key);
        Optional<Property<?>> mine = known == null ? ours.find(key) : ours.findOfSession(key);
        return mine.isPresent() ? mine.get().defaultValue() : known == null ? null : known.getDefaultValue();
    }

    /**
     * Returns a value that statements may read. Settings of Hive's hidden list are not readable, and secrets are
     * readable only if the session itself has set them.
     */
    synchronized Optional<String> readable(String key) {
        if (rules.secrets().isListed(key)) {
            return Optional.of("");
        }
        if (overrides.containsKey(key)) {
            return get(key);
        }
        return rules.secrets().isSecret(key) ? Optional.of("") : get(key).map(SecretSettings::redacted);
    }

    /**
     * @throws SkepException INVALID_CONFIGURATION when Hive or Skep has the setting and does not accept the value,
     *     ACCESS_DENIED when it is restricted, MEMORY_LIMIT_EXCEEDED when the session keeps too much
     */
    public synchronized void set(String name, String value) {
        String key = RenamedSettings.presentName(name);
        rules.checkChange(key);
        ours.check(key, value);
        HiveConf.ConfVars known = HiveConf.getConfVars(key);
        if (known == null && key.startsWith(HIVE) && isUnknown(key) && getBoolean(VALIDATION)) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION, "hive configuration " + key + " does not exists.")
                    .withHint("set " + VALIDATION + "=false to set it anyway");
        }
        if (known != null) {
            String problem = known.validate(value);
            if (problem != null) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        "'SET " + key + "=" + value + "' FAILED in validation : " + problem + ".");
            }
            if (!known.isType(value)) {
                throw new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        "'SET " + key + "=" + value + "' FAILED because " + key + " expects " + known.typeString()
                                + " type value.");
            }
        }
        if (key.equals(TIME_ZONE)) {
            zone(value);
        }
        memory.keep(SETTING + key, value.length());
        overrides.put(key, value);
        changed();
    }

    private boolean isUnknown(String key) {
        return ours.find(key).isEmpty()
                && ours.findOfSession(key).isEmpty()
                && !server.containsKey(key)
                && !MetastoreSettings.isKnown(key)
                && !HiveSettings.REMOVED.contains(key);
    }

    public synchronized void reset(String key) {
        overrides.remove(key);
        memory.forget(SETTING + key);
        changed();
    }

    public synchronized void resetAll() {
        overrides.keySet().forEach(key -> memory.forget(SETTING + key));
        overrides.clear();
        changed();
    }

    @GuardedBy("this")
    private void changed() {
        knownExplicit = null;
        knownForRun = null;
    }

    /** Returns the settings that the session has set. */
    public synchronized SortedMap<String, String> overrides() {
        return new TreeMap<>(overrides);
    }

    /** Returns all settings that are not Hive's defaults. Returns the same object until a setting changes. */
    public synchronized SortedMap<String, String> explicit() {
        SortedMap<String, String> known = knownExplicit;
        if (known == null) {
            SortedMap<String, String> all = new TreeMap<>(server);
            all.putAll(overrides);
            known = Collections.unmodifiableSortedMap(all);
            knownExplicit = known;
        }
        return known;
    }

    /** Returns the variables of {@code hivevar:}. */
    public synchronized SortedMap<String, String> variables() {
        return new TreeMap<>(variables);
    }

    /** @throws SkepException MEMORY_LIMIT_EXCEEDED when the session keeps too much */
    public synchronized void setVariable(String name, String value) {
        memory.keep(VARIABLE + name, value.length());
        variables.put(name, value);
    }

    /**
     * Returns the settings that are sent with a query's tasks: those of the explicit settings that tasks read, with the
     * time zone resolved. Returns the same object until a setting changes.
     */
    public synchronized Map<String, String> forRun() {
        Map<String, String> known = knownForRun;
        if (known == null) {
            SortedMap<String, String> all = new TreeMap<>(explicit());
            Set<String> overridden = overrides.keySet();
            all.keySet().removeIf(key -> !rules.goesToTasks(key, overridden.contains(key)));
            all.put(TIME_ZONE, timeZone().getId());
            known = Map.copyOf(all);
            knownForRun = known;
        }
        return known;
    }

    public ZoneId timeZone() {
        return zone(get(TIME_ZONE).orElse("LOCAL"));
    }

    private static ZoneId zone(String text) {
        if (text.isEmpty() || text.equalsIgnoreCase("LOCAL")) {
            return ZoneId.systemDefault();
        }
        try {
            return ZoneId.of(text, ZoneId.SHORT_IDS);
        } catch (DateTimeException e) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "'" + text + "' is not a time zone", e)
                    .withHint("use a region such as Asia/Tokyo, an offset such as +09:00, or LOCAL");
        }
    }
}
