package io.skep.engine.function.entry;

import java.util.List;

/**
 * A function about the session, which Hive lacks. The analyzer puts its value into the query, so that it has no kernel.
 */
public record SessionFunctionEntry(FunctionMetadata metadata) implements FunctionEntry {
    public static final List<SessionFunctionEntry> ALL = List.of(new SessionFunctionEntry(FunctionMetadata.ofSkep(
            Nullability.NEVER_NULL,
            new FunctionDocumentation(
                    "_FUNC_(role) - Returns whether the user belongs to a role, directly or through other roles", """
                    The role is a constant. All users belong to the role public. It does not matter which roles are
                    current.
                    Example:
                      > SELECT _FUNC_('public');
                      true"""),
            "is_member")));

    @Override
    public String nullabilityText() {
        return metadata.nullability().ofCall();
    }
}
