package io.skep.ql.authorize;

/** What a statement can require on an object. The order is that of Hive's errors. */
public enum RequiredPrivilege {
    SELECT("SELECT"),
    SELECT_WITH_GRANT("SELECT with grant"),
    INSERT("INSERT"),
    INSERT_WITH_GRANT("INSERT with grant"),
    UPDATE("UPDATE"),
    UPDATE_WITH_GRANT("UPDATE with grant"),
    DELETE("DELETE"),
    DELETE_WITH_GRANT("DELETE with grant"),
    OWNERSHIP("OBJECT OWNERSHIP"),
    ADMIN("ADMIN PRIVILEGE");

    private final String words;

    RequiredPrivilege(String words) {
        this.words = words;
    }

    /** Returns the name in Hive's errors. */
    public String words() {
        return words;
    }
}
