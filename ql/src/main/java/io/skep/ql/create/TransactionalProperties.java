package io.skep.ql.create;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.StorageDescriptor;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.statement.TableName;
import io.skep.storage.orc.OrcFileFormat;
import io.skep.storage.registry.FileFormats;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Decides whether a new table is transactional, by Hive's rules: the word TRANSACTIONAL, the property of this name, or
 * a setting that makes managed tables so.
 */
public final class TransactionalProperties {
    private static final Property<Boolean> AS_ACID = new Property<>(
            "hive.create.as.acid",
            PropertyType.flag(),
            "false",
            "Whether CREATE TABLE makes managed ORC tables that are not sorted transactional, with row ids.");
    private static final Property<Boolean> AS_INSERT_ONLY = new Property<>(
            "hive.create.as.insert.only",
            PropertyType.flag(),
            "false",
            "Whether CREATE TABLE makes managed tables transactional, to which rows are only added.");
    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(AS_ACID, AS_INSERT_ONLY);

    /** The name of {@link #AS_ACID} in Hive's metastore, by which sites and scripts set it too. */
    private static final String AS_ACID_OF_METASTORE = "metastore.create.as.acid";

    private static final String TRANSACTIONAL = "transactional";
    private static final String KIND = "transactional_properties";
    private static final String FULL = "default";
    private static final String INSERT_ONLY = "insert_only";

    private final TableName name;
    private final StorageDescriptor storage;
    private final boolean external;
    private final boolean temporary;

    TransactionalProperties(TableName name, StorageDescriptor storage, boolean external, boolean temporary) {
        this.name = name;
        this.storage = storage;
        this.external = external;
        this.temporary = temporary;
    }

    /**
     * Completes the properties of the new table.
     *
     * @param word whether the statement has the word TRANSACTIONAL or MANAGED
     */
    void complete(Map<String, String> properties, boolean word, SessionSettings settings) {
        boolean isOpen = !properties.containsKey(TRANSACTIONAL);
        if (properties.containsKey(KIND) && isOpen) {
            throw CompileErrors.plain(
                            name.position(),
                            StandardErrorCode.INVALID_ARGUMENT,
                            ErrorMsg.GENERIC_ERROR,
                            "Cannot specify " + KIND + " without " + TRANSACTIONAL)
                    .withHint("add '" + TRANSACTIONAL + "'='true'");
        }
        if (isOpen && word) {
            addForWord(properties);
        } else if (isOpen && !external && !temporary) {
            addDefault(properties, settings);
        }
        String wanted = properties.get(TRANSACTIONAL);
        if (wanted == null || wanted.equalsIgnoreCase("false")) {
            properties.remove(TRANSACTIONAL);
            properties.remove(KIND);
            return;
        }
        check(wanted, properties.getOrDefault(KIND, FULL));
        properties.put(TRANSACTIONAL, "true");
        properties.put(KIND, properties.getOrDefault(KIND, FULL).toLowerCase(Locale.ROOT));
    }

    /**
     * Completes the properties of a table that is imported. Only what they say makes it transactional, and an external
     * table is not.
     */
    public static void imported(
            Map<String, String> properties,
            TableName name,
            StorageDescriptor storage,
            boolean external,
            SessionSettings settings) {
        if (external || !properties.containsKey(TRANSACTIONAL)) {
            properties.remove(TRANSACTIONAL);
            properties.remove(KIND);
        } else {
            new TransactionalProperties(name, storage, false, false).complete(properties, false, settings);
        }
    }

    /** Adds what makes a table transactional, for CREATE TABLE LIKE it. */
    static void copy(Map<String, String> from, Map<String, String> to) {
        for (String property : List.of(TRANSACTIONAL, KIND)) {
            String value = from.get(property);
            if (value != null) {
                to.putIfAbsent(property, value);
            }
        }
    }

    private void addForWord(Map<String, String> properties) {
        if (external) {
            throw CompileErrors.plain(
                    name.position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    name.table() + " cannot be declared transactional because it's an external table");
        }
        properties.put(TRANSACTIONAL, "true");
        properties.put(KIND, mayHaveRowIds() ? FULL : INSERT_ONLY);
    }

    private void addDefault(Map<String, String> properties, SessionSettings settings) {
        boolean asAcid = settings.getBoolean(AS_ACID.name())
                || Boolean.parseBoolean(settings.get(AS_ACID_OF_METASTORE).orElse("false"));
        if (asAcid && mayHaveRowIds()) {
            properties.put(TRANSACTIONAL, "true");
            properties.put(KIND, FULL);
        } else if (settings.getBoolean(AS_INSERT_ONLY.name())) {
            properties.put(TRANSACTIONAL, "true");
            properties.put(KIND, INSERT_ONLY);
        }
    }

    private boolean mayHaveRowIds() {
        return isOrc() && storage.sortColumns().isEmpty();
    }

    private boolean isOrc() {
        return FileFormats.of(storage.format()) instanceof OrcFileFormat;
    }

    private void check(String wanted, String kind) {
        String qualified = name.qualified();
        if (!wanted.equalsIgnoreCase("true")) {
            throw refused("'transactional' property of TBLPROPERTIES may only have value 'true': " + qualified);
        }
        if (temporary) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "temporary tables are not transactional: " + qualified)
                    .withHint("leave 'transactional' out; the table belongs to this session only")
                    .at(name.position());
        }
        if (external) {
            throw refused(qualified + " cannot be declared transactional because it's an external table");
        }
        if (kind.equalsIgnoreCase(INSERT_ONLY)) {
            return;
        }
        if (!kind.equalsIgnoreCase(FULL)) {
            throw refused("Invalid transactional properties specified for " + qualified
                    + " with the error unknown value " + kind + " for transactional_properties");
        }
        if (!isOrc()) {
            throw refused("The table must be stored using an ACID compliant format (such as ORC): " + qualified);
        }
        if (!storage.sortColumns().isEmpty()) {
            throw refused("Table " + qualified + " cannot support full ACID functionality since it is sorted.");
        }
    }

    private SkepException refused(String words) {
        return CompileErrors.task(
                name.position(),
                StandardErrorCode.INVALID_ARGUMENT,
                ErrorMsg.GENERIC_ERROR,
                "MetaException(message:" + words + ")");
    }
}
