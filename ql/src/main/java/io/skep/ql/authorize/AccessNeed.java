package io.skep.ql.authorize;

import io.skep.ql.AccessRecord;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An object that a statement accesses, and the privileges that it needs on it, all of them.
 *
 * @param privileges of the SQL standard; empty for an object about which only authorizers of a site are asked
 */
public record AccessNeed(Side side, AccessedObject object, Set<RequiredPrivilege> privileges) {
    /** Whether a statement reads an object or changes it, as Hive tells its authorizers. */
    public enum Side {
        INPUT,
        OUTPUT
    }

    public AccessNeed {
        Set<RequiredPrivilege> copy = EnumSet.noneOf(RequiredPrivilege.class);
        copy.addAll(privileges);
        privileges = Collections.unmodifiableSet(copy);
    }

    public static AccessNeed input(AccessedObject object, RequiredPrivilege... privileges) {
        return new AccessNeed(Side.INPUT, object, Set.of(privileges));
    }

    public static AccessNeed output(AccessedObject object, RequiredPrivilege... privileges) {
        return new AccessNeed(Side.OUTPUT, object, Set.of(privileges));
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
