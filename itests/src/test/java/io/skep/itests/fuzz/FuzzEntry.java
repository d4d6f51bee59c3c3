package io.skep.itests.fuzz;

/** Where Jazzer enters a process that fuzzes one target. Its names of methods are given. */
public final class FuzzEntry {
    private static volatile @org.jspecify.annotations.Nullable FuzzContract contract;

    private FuzzEntry() {}

    public static void fuzzerInitialize(String[] arguments) {
        // Jazzer has switched them on; the product runs without.
        FuzzEntry.class.getClassLoader().setDefaultAssertionStatus(false);
        contract = new FuzzContract(FuzzTarget.valueOf(arguments[0]));
    }

    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
        FuzzContract one = contract;
        if (one == null) {
            throw new IllegalStateException("Jazzer has not told the target");
        }
        one.check(input);
    }
}
