package io.skep.ql.authorize;

import io.skep.ql.AccessRecord;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Privileges that a statement needs on an object, all of them. */
public record AccessNeed(AccessedObject object, Set<RequiredPrivilege> privileges) {
    public AccessNeed {
        privileges = Collections.unmodifiableSet(EnumSet.copyOf(privileges));
    }

    public static AccessNeed of(AccessedObject object, RequiredPrivilege... privileges) {
        return new AccessNeed(object, EnumSet.copyOf(Arrays.asList(privileges)));
    }

    /** Returns the need as the audit log has it. */
    AccessRecord.Need recorded() {
        Optional<List<String>> columns = Optional.empty();
        Optional<String> action = Optional.empty();
        if (object instanceof AccessedObject.OfTable table) {
            action = table.write().map(Enum::name);
            columns = table.columns() instanceof AccessedObject.Columns.Named(var names)
                    ? Optional.of(List.copyOf(names))
                    : Optional.empty();
        }
        return new AccessRecord.Need(
                object.type(),
                object.name(),
                columns,
                action,
                privileges.stream().map(RequiredPrivilege::words).toList());
    }

    /** Returns the words of Hive's errors. */
    String shown() {
        String words = privileges.stream().map(RequiredPrivilege::words).collect(Collectors.joining(", "));
        return (object instanceof AccessedObject.OfServer ? words : "[" + words + "]") + " on " + object.shown();
    }
}
