package io.skep.service.metadata;

import io.skep.metastore.Table.TableKind;
import io.skep.ql.SqlSession;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** The names under which metadata calls list kinds of tables: {@code hive.server2.table.type.mapping}. */
public enum TableTypeMapping {
    /** Names that JDBC's documentation suggests. */
    CLASSIC {
        @Override
        String name(TableKind kind) {
            return switch (kind) {
                case MANAGED_TABLE, EXTERNAL_TABLE -> "TABLE";
                case VIRTUAL_VIEW -> "VIEW";
                case MATERIALIZED_VIEW -> "MATERIALIZED_VIEW";
            };
        }
    },
    /** The metastore's names. */
    HIVE {
        @Override
        String name(TableKind kind) {
            return kind.name();
        }
    };

    private static final String SETTING = "hive.server2.table.type.mapping";

    abstract String name(TableKind kind);

    /** Returns the mapping that a session has chosen; any other value than HIVE selects the classic one. */
    public static TableTypeMapping of(SqlSession session) {
        String value = session.setting(SETTING).orElse("");
        return value.strip().toUpperCase(Locale.ROOT).equals(HIVE.name()) ? HIVE : CLASSIC;
    }

    /** Returns the names of all kinds, each once. */
    Stream<String> names() {
        return Arrays.stream(TableKind.values()).map(this::name).distinct();
    }

    /** Whether a client that asks for a type wants tables of a kind. The metastore's names select in each mapping. */
    boolean matches(String wanted, TableKind kind) {
        String type = wanted.toUpperCase(Locale.ROOT);
        return type.equals(name(kind)) || type.equals(kind.name());
    }
}
