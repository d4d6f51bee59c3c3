package io.skep.itests.random;

/** Groups of types whose values can be compared with each other, whatever their widths. */
enum Kind {
    BOOLEAN("BOOLEAN"),
    INTEGER("BIGINT"),
    DECIMAL("DECIMAL(24,4)"),
    DOUBLE("DOUBLE"),
    TEXT("STRING"),
    DATE("DATE"),
    TIMESTAMP("TIMESTAMP");

    private final String widest;

    Kind(String widest) {
        this.widest = widest;
    }

    /** Returns the type to which all values of this kind are cast where types must be the same. */
    String widest() {
        return widest;
    }
}
