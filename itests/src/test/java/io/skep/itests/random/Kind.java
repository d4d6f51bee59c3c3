package io.skep.itests.random;

/** Types that compare with each other, whatever their widths. */
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

    /** The type that all values of this kind are cast to where types must be the same. */
    String widest() {
        return widest;
    }
}
