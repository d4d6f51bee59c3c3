package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/**
 * Validates the number of lines or records to skip at the end of a file. They are held in memory until the end of the
 * file is reached, so their number is limited.
 */
public final class FooterLines {
    /** Hive's name of the table property. */
    public static final String PROPERTY = "skip.footer.line.count";

    /** The default of Hive's hive.file.max.footer. */
    private static final int MAX_LINES = 100;

    private FooterLines() {}

    /**
     * Returns the number of lines that a table asks for.
     *
     * @throws SkepException INVALID_CONFIGURATION when the number is too large
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
