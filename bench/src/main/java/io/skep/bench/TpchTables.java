package io.skep.bench;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * TPC-H's tables (revision 3): their columns with decimals as in the specification, rows as text, and the 22 queries.
 */
public final class TpchTables {
    public static final int QUERIES = 22;

    /** The column definitions by table. */
    public static final Map<String, String> COLUMNS = columns();

    private TpchTables() {}

    private static Map<String, String> columns() {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("region", "r_regionkey INT, r_name VARCHAR(25), r_comment VARCHAR(152)");
        tables.put("nation", "n_nationkey INT, n_name VARCHAR(25), n_regionkey INT, n_comment VARCHAR(152)");
        tables.put(
                "supplier",
                "s_suppkey INT, s_name VARCHAR(25), s_address VARCHAR(40), s_nationkey INT, s_phone VARCHAR(15),"
                        + " s_acctbal DECIMAL(15,2), s_comment VARCHAR(101)");
        tables.put(
                "customer",
                "c_custkey INT, c_name VARCHAR(25), c_address VARCHAR(40), c_nationkey INT, c_phone VARCHAR(15),"
                        + " c_acctbal DECIMAL(15,2), c_mktsegment VARCHAR(10), c_comment VARCHAR(117)");
        tables.put(
                "part",
                "p_partkey INT, p_name VARCHAR(55), p_mfgr VARCHAR(25), p_brand VARCHAR(10), p_type VARCHAR(25),"
                        + " p_size INT, p_container VARCHAR(10), p_retailprice DECIMAL(15,2), p_comment VARCHAR(23)");
        tables.put(
                "partsupp",
                "ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost DECIMAL(15,2),"
                        + " ps_comment VARCHAR(199)");
        tables.put(
                "orders",
                "o_orderkey BIGINT, o_custkey INT, o_orderstatus VARCHAR(1),"
                        + " o_totalprice DECIMAL(15,2), o_orderdate DATE, o_orderpriority VARCHAR(15),"
                        + " o_clerk VARCHAR(15), o_shippriority INT, o_comment VARCHAR(79)");
        tables.put(
                "lineitem",
                "l_orderkey BIGINT, l_partkey INT, l_suppkey INT, l_linenumber INT, l_quantity DECIMAL(15,2),"
                        + " l_extendedprice DECIMAL(15,2), l_discount DECIMAL(15,2), l_tax DECIMAL(15,2),"
                        + " l_returnflag VARCHAR(1), l_linestatus VARCHAR(1), l_shipdate DATE, l_commitdate DATE,"
                        + " l_receiptdate DATE, l_shipinstruct VARCHAR(25), l_shipmode VARCHAR(10),"
                        + " l_comment VARCHAR(44)");
        return tables;
    }

    /** Writes a table's rows, one per line, with fields separated by {@code |}. */
    public static void write(String table, double scale, Path file) throws IOException {
        TpchTable<?> generator = TpchTable.getTable(table);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (TpchEntity row : generator.createGenerator(scale, 1, 1)) {
                out.append(row.toLine()).append('\n');
            }
        }
    }

    /** Returns the text of a query, with the parameters of the specification's validation run. */
    public static String query(int number, double scale) throws IOException {
        String name = String.format(Locale.ROOT, "tpch/q%02d.sql", number);
        try (InputStream in = TpchTables.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no query " + number);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.replace("${fraction}", String.format(Locale.ROOT, "%.10f", 0.0001 / scale));
        }
    }
}
