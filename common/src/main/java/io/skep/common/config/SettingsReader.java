package io.skep.common.config;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads settings and collects their errors, so that all are reported at once. Used by one thread. */
public final class SettingsReader {
    private static final SecretSettings SECRETS = new SecretSettings(List.of());

    private final Map<String, String> settings;
    private final List<String> problems = new ArrayList<>();

    public SettingsReader(Map<String, String> settings) {
        this.settings = Map.copyOf(RenamedSettings.withPresentNames(settings));
    }

    /**
     * Returns the effective value. When the setting is invalid, this is the default, and {@link #finish} reports the
     * error.
     */
    public <T> T read(Property<T> property) {
        return read(property, property.name());
    }

    /**
     * Does the same as {@link #read(Property)} for a setting that also has another name. Its own name takes precedence.
     */
    public <T> T read(Property<T> property, String otherName) {
        String name = settings.containsKey(property.name()) ? property.name() : otherName;
        String value = settings.get(name);
        if (value != null) {
            try {
                return property.type().parse(value);
            } catch (IllegalArgumentException e) {
                problems.add(name + ": " + (SECRETS.isSecret(name) ? "its value" : "'" + value + "'") + " is not "
                        + property.type().description());
            }
        }
        return property.type().parse(property.defaultValue());
    }

    /** Records an error of a setting. */
    public void refuse(String name, String problem) {
        problems.add(name + " " + problem);
    }

    /** Records settings with Skep's own prefix that are never read. Settings of Hive and Hadoop are not checked. */
    public void refuseUnknown(Collection<String> known) {
        settings.keySet().stream()
                .filter(name -> name.startsWith(KnownSettings.OWN) && !known.contains(name))
                .sorted()
                .forEach(name -> problems.add(name + ": there is no such setting" + near(name, known)));
    }

    private static String near(String name, Collection<String> known) {
        List<String> near = DidYouMean.of(name, known);
        return near.isEmpty() ? "" : " (did you mean " + String.join(", ", near) + "?)";
    }

    /** @throws SkepException INVALID_CONFIGURATION with all problems */
    public void finish() {
        if (!problems.isEmpty()) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, String.join("; ", problems));
        }
    }
}
