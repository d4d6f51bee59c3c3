package io.skep.service;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a server that has started tells the person in front of it.
 *
 * @param logFolder folder of the log files; the log goes to standard error without one
 */
record StartNotice(String jdbcUrl, String uiUrl, Path data, Optional<String> logFolder) {
    /** Five lines. */
    List<String> lines() {
        String log = logFolder
                .map(folder -> Path.of(folder).toAbsolutePath().normalize().toString())
                .orElse("standard error; SKEP_LOG_DIR=DIR bin/skep server writes files in DIR instead");
        return List.of(
                "  JDBC URL  " + jdbcUrl,
                "  web page  " + uiUrl,
                "  data      " + data,
                "  log       " + log,
                "  connect   bin/skep beeline" + ofFolder() + "   (stop: bin/skep stop" + ofFolder() + ", or Ctrl-C)");
    }

    /** The option that the other commands need to find this server. */
    private String ofFolder() {
        Path usual = Path.of(System.getProperty("skep.home", ""), "data")
                .toAbsolutePath()
                .normalize();
        return data.equals(usual) ? "" : " --data " + data;
    }
}
