package io.skep.service.metadata;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables between which a call asks for foreign keys. An empty name counts as none.
 *
 * @param parentSchema database of the table that is referred to; without it the current one
 * @param parent the table that is referred to
 * @param foreignSchema database of the table with the foreign key; without it the current one
 * @param foreign the table with the foreign key
 */
public record CrossReference(
        Optional<String> parentSchema,
        Optional<String> parent,
        Optional<String> foreignSchema,
        Optional<String> foreign) {
    public static CrossReference of(
            @Nullable String parentSchema,
            @Nullable String parent,
            @Nullable String foreignSchema,
            @Nullable String foreign) {
        return new CrossReference(present(parentSchema), present(parent), present(foreignSchema), present(foreign));
    }

    static Optional<String> present(@Nullable String name) {
        return Optional.ofNullable(name).filter(given -> !given.isEmpty());
    }
}
