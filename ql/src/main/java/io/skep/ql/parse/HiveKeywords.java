package io.skep.ql.parse;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.hadoop.hive.ql.parse.ParseUtils;

/** The words of Hive's grammar that drivers list as its own, without those that ODBC reserves in any SQL. */
public final class HiveKeywords {
    /** ODBC reserves the words of SQL-92, but not those of its later part on stored modules, and a few more. */
    private static final List<String> OF_STORED_MODULES = List.of("FUNCTION", "OUT", "PATH");

    private static final List<String> MORE_OF_ODBC = List.of("INDEX", "NONE");

    private static final String LIST = ParseUtils.getKeywords(reserved());

    private HiveKeywords() {}

    private static Set<String> reserved() {
        Set<String> words = new TreeSet<>(SqlAbstractParserImpl.getSql92ReservedWords());
        OF_STORED_MODULES.forEach(words::remove);
        words.addAll(MORE_OF_ODBC);
        return words;
    }

    /** Returns the words in order, separated by commas. */
    public static String list() {
        return LIST;
    }
}
