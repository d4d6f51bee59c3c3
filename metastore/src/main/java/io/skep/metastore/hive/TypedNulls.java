package io.skep.metastore.hive;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections to PostgreSQL on which a parameter may be compared with NULL alone. Hive's library (4.0.1) does so with
 * names of partitions, and PostgreSQL cannot tell the type of such a parameter.
 */
final class TypedNulls extends DelegatingDataSource {
    private static final Pattern ALONE = Pattern.compile("\\?\\s+is\\s+null", Pattern.CASE_INSENSITIVE);

    TypedNulls(DataSource target) {
        super(target);
    }

    static String typed(String sql) {
        return ALONE.matcher(sql).replaceAll("CAST(? AS VARCHAR) IS NULL");
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                TypedNulls.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
                        arguments[0] = typed(sql);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
