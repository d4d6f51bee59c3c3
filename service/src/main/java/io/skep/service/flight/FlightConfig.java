package io.skep.service.flight;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import java.util.List;
import java.util.Optional;

/** Settings of the port that speaks Arrow Flight SQL. */
public final class FlightConfig {
    public static final Property<Optional<Integer>> PORT = new Property<>(
            "skep.flight.port",
            PropertyType.optionalPort(),
            "",
            "Port of Arrow Flight SQL, for programs that read queries' rows as Arrow; 0 takes any free one, empty: "
                    + "none.");

    public static final List<Property<?>> PROPERTIES = List.of(PORT);

    private FlightConfig() {}
}
