package io.skep.ql.authorize;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
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

    /** Returns the words of Hive's errors. */
    String shown() {
        String words = privileges.stream().map(RequiredPrivilege::words).collect(Collectors.joining(", "));
        return (object instanceof AccessedObject.OfServer ? words : "[" + words + "]") + " on " + object.shown();
    }
}
