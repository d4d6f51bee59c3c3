package io.skep.ql.authorize;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizerFactory;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzPluginException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzSessionContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveMetastoreClientFactory;

/**
 * The authorizer of a site, such as Ranger's: a factory of Hive's plug-in interface that decides in the place of roles
 * and grants. One for each server. Thread-safe.
 */
public final class AuthorizerPlugin {
    /** The factory. */
    public static final Property<Optional<String>> MANAGER = new Property<>(
            "hive.security.authorization.manager",
            PropertyType.optionalText(),
            "",
            "Class of the HiveAuthorizerFactory that decides while authorization is on; the SQL standard authorization "
                    + "when not set, or with Hive's class for it.");

    /** Where its classes are. */
    public static final Property<List<String>> PATH = new Property<>(
            "skep.authorization.plugin-path",
            new PropertyType<>("paths with commas between them", SecretSettings::names),
            "",
            "Folders and jars with the classes of hive.security.authorization.manager and with its configuration "
                    + "files; all jars of a folder, and the folder itself. They come after Skep's own.");

    public static final List<Property<?>> PROPERTIES = List.of(MANAGER, PATH);

    private static final String SQL_STANDARD =
            "org.apache.hadoop.hive.ql.security.authorization.plugin.sqlstd.SQLStdHiveAuthorizerFactory";

    private final HiveAuthorizerFactory factory;
    private final HiveMetastoreClientFactory metastore;
    private final HiveConf settings;
    private final ClassLoader classes;

    private AuthorizerPlugin(
            HiveAuthorizerFactory factory,
            HiveMetastoreClientFactory metastore,
            HiveConf settings,
            ClassLoader classes) {
        this.factory = factory;
        this.metastore = metastore;
        this.settings = settings;
        this.classes = classes;
    }

    /** Whether the settings name an authorizer other than that of the SQL standard. */
    public static boolean isNamed(Map<String, String> server) {
        return manager(server).isPresent();
    }

    private static Optional<String> manager(Map<String, String> server) {
        SettingsReader reader = new SettingsReader(server);
        Optional<String> name = reader.read(MANAGER).filter(manager -> !manager.equals(SQL_STANDARD));
        reader.finish();
        return name;
    }

    /**
     * Loads the authorizer that the settings name.
     *
     * @param metastore what the authorizer gets for its own questions about databases and tables
     * @return empty for the SQL standard authorization
     * @throws SkepException INVALID_CONFIGURATION when it cannot be loaded
     */
    public static Optional<AuthorizerPlugin> of(Map<String, String> server, HiveMetastoreClientFactory metastore) {
        return manager(server).map(name -> {
            SettingsReader reader = new SettingsReader(server);
            ClassLoader classes = classes(reader.read(PATH));
            reader.finish();
            HiveConf settings = new HiveConf();
            server.forEach(settings::set);
            settings.setClassLoader(classes);
            return new AuthorizerPlugin(factory(name, classes), metastore, settings, classes);
        });
    }

    private static HiveAuthorizerFactory factory(String name, ClassLoader classes) {
        try {
            return Class.forName(name, true, classes)
                    .asSubclass(HiveAuthorizerFactory.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            MANAGER.name() + ": " + name + " cannot be used as a HiveAuthorizerFactory: " + e,
                            e)
                    .withHint(PATH.name() + " names the folders and jars with its classes");
        }
    }

    private static ClassLoader classes(List<String> paths) {
        ClassLoader own = AuthorizerPlugin.class.getClassLoader();
        if (paths.isEmpty()) {
            return own;
        }
        List<URL> urls = new ArrayList<>();
        for (String path : paths) {
            urls.addAll(urls(Path.of(path)));
        }
        return new URLClassLoader(urls.toArray(URL[]::new), own);
    }

    private static List<URL> urls(Path path) {
        try (Stream<Path> listed = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
            List<URL> urls = new ArrayList<>(List.of(path.toRealPath().toUri().toURL()));
            for (Path jar : listed.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                urls.add(jar.toUri().toURL());
            }
            return urls;
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, PATH.name() + ": " + path + " cannot be read: " + e, e);
        }
    }

    /**
     * Opens the authorizer of one session.
     *
     * @param address of the client, for policies that look at it; empty if it is not known
     */
    public PluginAuthorizer open(String user, Optional<String> address) {
        HiveAuthzSessionContext.Builder session = new HiveAuthzSessionContext.Builder();
        session.setSessionString(UUID.randomUUID().toString());
        session.setClientType(HiveAuthzSessionContext.CLIENT_TYPE.HIVESERVER2);
        return PluginAuthorizer.open(
                () -> created(new PluginUser(user, settings), session.build()), user, address, classes);
    }

    private HiveAuthorizer created(PluginUser user, HiveAuthzSessionContext session) throws HiveAuthzPluginException {
        return factory.createHiveAuthorizer(metastore, settings, user, session);
    }
}
