package io.skep.webui;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import java.util.List;

/** Settings of web pages. The master of daemons on YARN reads them too, without the classes of a web server. */
public final class WebConfig {
    /** Names under which browsers reach the pages, in addition to those that the process knows. */
    public static final Property<List<String>> HOSTS = new Property<>(
            "skep.webui.hosts",
            new PropertyType<>("names with commas between them", SecretSettings::names),
            "",
            "Additional host names of the web pages, separated by commas. Requests with a host other than this "
                    + "machine's names and addresses are refused.");

    private WebConfig() {}
}
