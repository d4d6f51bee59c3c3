package io.skep.ql.insert;

import io.skep.ql.session.SessionSettings;
import io.skep.storage.file.codec.OutputCompression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads how a session wants its files compressed. Hadoop has two names for each of these settings. */
final class CompressedOutput {
    private static final List<String> CODEC = List.of(OutputCompression.CODEC, "mapred.output.compression.codec");
    private static final List<String> TYPE = List.of(OutputCompression.TYPE, "mapred.output.compression.type");

    private CompressedOutput() {}

    /** Returns the properties by which writers find it. */
    static Map<String, String> properties(SessionSettings settings) {
        if (!settings.getBoolean(OutputCompression.COMPRESS)) {
            return Map.of();
        }
        Map<String, String> properties = new HashMap<>();
        properties.put(OutputCompression.COMPRESS, "true");
        first(CODEC, settings).ifPresent(codec -> properties.put(OutputCompression.CODEC, codec));
        first(TYPE, settings).ifPresent(type -> properties.put(OutputCompression.TYPE, type));
        return properties;
    }

    private static Optional<String> first(List<String> names, SessionSettings settings) {
        return names.stream()
                .flatMap(name -> settings.get(name).stream())
                .filter(value -> !value.isBlank())
                .map(String::strip)
                .findFirst();
    }
}
