package io.skep.storage.format;

import java.util.List;

/**
 * Which input formats read all files of a folder, each whole. Others, such as Hudi's and that of symbolic links, choose
 * among the files or read others: their tables hold rows that are not those of the files that a listing finds.
 */
public final class InputFormats {
    /** The packages of Hadoop, of Hive, and of Hive's old Parquet. */
    private static final List<String> PLAIN = List.of("org.apache.hadoop.", "parquet.hive.");

    private static final String SYMBOLIC_LINKS = "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat";

    private InputFormats() {}

    /** Whether a class is one of Hadoop or Hive that reads all files. A table without files has no class. */
    public static boolean isPlain(String inputFormat) {
        return inputFormat.isEmpty()
                || PLAIN.stream().anyMatch(inputFormat::startsWith) && !inputFormat.equals(SYMBOLIC_LINKS);
    }

    /** Whether a class, or one that it extends, has its own choice of files. */
    public static boolean choosesFiles(Class<?> inputFormat) {
        for (Class<?> type = inputFormat; type != null && !isPlain(type.getName()); type = type.getSuperclass()) {
            for (var method : type.getDeclaredMethods()) {
                if (method.getName().equals("getSplits") || method.getName().equals("listStatus")) {
                    return true;
                }
            }
        }
        return false;
    }
}
