package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/**
 * Lines or records at the end of a file that are skipped. They are held in memory until the end is seen, so their
 * number has a limit.
 */
public final class FooterLines {
    /** Of a table, in Hive's words. */
    public static final String PROPERTY = "skip.footer.line.count";

    /** The default of Hive's hive.file.max.footer. */
    private static final int MAX_LINES = 100;

    private FooterLines() {}

    /**
     * What a table asks for.
     *
     * @throws SkepException INVALID_CONFIGURATION when that is too many
     */
    public static int checked(int lines) {
        if (lines > MAX_LINES) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    PROPERTY + " is " + lines + "; at most " + MAX_LINES
                            + " lines can be skipped at the end of a file");
        }
        return lines;
    }
}
