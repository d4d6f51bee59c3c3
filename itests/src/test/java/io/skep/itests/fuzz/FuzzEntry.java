package io.skep.itests.fuzz;

/** The entry point of Jazzer in a process that fuzzes one target. Jazzer prescribes the method names. */
public final class FuzzEntry {
    private static volatile @org.jspecify.annotations.Nullable FuzzContract contract;

    private FuzzEntry() {}

    public static void fuzzerInitialize(String[] arguments) {
        // Jazzer enables assertions; the product runs without them.
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
