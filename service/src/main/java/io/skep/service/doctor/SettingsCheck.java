package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.service.server.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Checks whether a server accepts the settings of the site files. */
record SettingsCheck(Map<String, String> site, Path data) implements Check {
    @Override
    public String part() {
        return "settings";
    }

    @Override
    public List<Finding> run() {
        try {
            ServerConfig.of(site, data);
        } catch (SkepException e) {
            return List.of(Finding.failure(
                    part(), e, "correct them in hive-site.xml or skep-site.xml; conf/server-settings.md lists all"));
        }
        return List.of(Finding.ok(part(), site.size() + " set in site files"));
    }
}
