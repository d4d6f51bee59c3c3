package io.skep.storage.serde;

import java.util.Optional;
import org.apache.hadoop.hive.ql.io.HiveFileFormatUtils;
import org.apache.hadoop.hive.ql.io.HiveOutputFormat;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.mapred.InputFormat;

/** Whether the classes that a statement names for a table's files are there, and are what they are used for. */
public final class FormatClasses {
    private FormatClasses() {}

    public static boolean exists(String className) {
        return load(className).isPresent();
    }

    public static boolean isInputFormat(String className) {
        return load(className).filter(InputFormat.class::isAssignableFrom).isPresent();
    }

    /** Whether Hive writes files by the class, or by another class in its place. */
    public static boolean isOutputFormat(String className) {
        return load(className)
                .map(HiveFileFormatUtils::getOutputFormatSubstitute)
                .filter(HiveOutputFormat.class::isAssignableFrom)
                .isPresent();
    }

    public static boolean isSerde(String className) {
        return load(SerdeClasses.present(className))
                .filter(AbstractSerDe.class::isAssignableFrom)
                .isPresent();
    }

    private static Optional<Class<?>> load(String className) {
        try {
            return Optional.of(Class.forName(className, false, FormatClasses.class.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
