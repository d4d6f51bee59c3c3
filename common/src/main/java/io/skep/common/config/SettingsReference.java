package io.skep.common.config;

import java.util.Comparator;
import java.util.List;

/** Renders the reference of settings as a page. */
public final class SettingsReference {
    private SettingsReference() {}

    /** Renders a table of properties, sorted by name. */
    public static String table(List<? extends Property<?>> properties) {
        StringBuilder page =
                new StringBuilder("| setting | default | value | what it is for |\n| --- | --- | --- | --- |\n");
        properties.stream()
                .sorted(Comparator.comparing(Property::name))
                .forEach(property -> page.append("| ")
                        .append(property.name())
                        .append(" | ")
                        .append(property.defaultValue())
                        .append(" | ")
                        .append(property.type().description())
                        .append(" | ")
                        .append(property.text())
                        .append(" |\n"));
        return page.toString();
    }
}
