package io.skep.storage.table;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import java.util.Locale;

/**
 * The text of a partition column's value in the metastore and in folder names. As in Hive it is the text of Hive's
 * object, which differs from a cast to string for some types: {@code true} in small letters, a CHAR with the spaces of
 * its length, a decimal without zeros at its end.
 */
public final class PartitionText {
    private PartitionText() {}

    /** @param cast the value, cast to string */
    public static String of(String cast, SqlType type) {
        return switch (type) {
            case CharType padded -> padded(cast, padded.length());
            case DecimalType _ -> withoutZeros(cast);
            default -> type == PrimitiveType.BOOLEAN ? cast.toLowerCase(Locale.ROOT) : cast;
        };
    }

    private static String padded(String text, int length) {
        return text + " ".repeat(Math.max(0, length - text.codePointCount(0, text.length())));
    }

    private static String withoutZeros(String number) {
        if (number.indexOf('.') < 0) {
            return number;
        }
        int end = number.length();
        while (number.charAt(end - 1) == '0') {
            end--;
        }
        return number.substring(0, number.charAt(end - 1) == '.' ? end - 1 : end);
    }
}
