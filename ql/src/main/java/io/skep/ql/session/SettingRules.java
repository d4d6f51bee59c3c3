package io.skep.ql.session;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import io.skep.common.config.SecurityProperties;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.FunctionPermissions;
import io.skep.engine.function.FunctionSettings;
import io.skep.engine.task.TaskSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;

/**
 * Rules for which settings sessions may see and change, and which are sent to tasks. Hive's lists have Hive's meaning
 * and defaults. Created once from the server's settings, and immutable.
 */
public final class SettingRules {
    /** Environment variables that statements may name. */
    public static final Property<List<String>> ENVIRONMENT = new Property<>(
            "skep.variables.env",
            new PropertyType<>("names with commas between them", SecretSettings::names),
            "USER,LANG,TZ",
            "Environment variables of the server that statements can read with ${env:NAME}.");

    /** System properties that statements may name. */
    public static final Property<List<String>> SYSTEM = new Property<>(
            "skep.variables.system",
            new PropertyType<>("names with commas between them", SecretSettings::names),
            "user.name,java.io.tmpdir,java.version,os.name,os.arch,user.timezone,file.separator,"
                    + "line.separator,path.separator",
            "System properties of the server that statements can read with ${system:name}.");

    /** Additional settings that are sent to tasks. */
    public static final Property<List<String>> TO_TASKS = new Property<>(
            "skep.tasks.settings",
            new PropertyType<>("names with commas between them", SecretSettings::names),
            "",
            "Settings of the site files that functions of users read in tasks; others stay in the server.");

    /** The limit of the jars of a session. */
    public static final Property<Long> MAX_JARS = new Property<>(
            "skep.session.max-jars-size",
            PropertyType.size(0, Long.MAX_VALUE),
            "1gb",
            "Total size of the jars that a session may add with ADD JAR and CREATE FUNCTION, and that of its other "
                    + "files (ADD FILE, ADD ARCHIVE); they are copied to daemons and containers.");

    /** The settings that users may change. */
    public static final Property<Optional<String>> CHANGEABLE = new Property<>(
            "hive.security.authorization.sqlstd.confwhitelist",
            PropertyType.optionalText(),
            "",
            "Regular expression for the settings that sessions may change while authorization is on; Hive's list when "
                    + "not set. Settings of Skep for sessions may always be changed.");

    /** Further settings that users may change. */
    public static final Property<Optional<String>> ALSO_CHANGEABLE = new Property<>(
            "hive.security.authorization.sqlstd.confwhitelist.append",
            PropertyType.optionalText(),
            "",
            "Regular expression for further settings that sessions may change while authorization is on.");

    /** Whether statements may run programs. */
    public static final Property<Boolean> SCRIPTS = new Property<>(
            "skep.script.enabled",
            PropertyType.flag(),
            "false",
            "Whether statements may run programs by SELECT TRANSFORM, MAP and REDUCE. A program may do all that the "
                    + "server and its daemons may. Never allowed with authorization or impersonation.");

    /** Whether clients may use files by commands of Hadoop's shell. */
    public static final Property<Boolean> FILE_COMMANDS = new Property<>(
            "skep.dfs.enabled",
            PropertyType.flag(),
            "false",
            "Whether clients may read and change files by the command dfs, with the rights of the server. Never "
                    + "allowed with authorization or impersonation, and only if hive.security.command.whitelist names"
                    + " dfs.");

    /** Whether scheduled queries may be those of others. */
    public static final Property<Boolean> SCHEDULES_AUTHORIZED = new Property<>(
            "hive.security.authorization.scheduled.queries.supported",
            PropertyType.flag(),
            "false",
            "Whether scheduled queries may run as others than those who create them: the authorizer of the site "
                    + "decides who may do so, without one the role admin. It needs "
                    + "hive.security.authorization.enabled.");

    /** The settings that are read when the server starts. */
    public static final List<Property<?>> PROPERTIES = List.of(
            ENVIRONMENT,
            SYSTEM,
            TO_TASKS,
            MAX_JARS,
            SCRIPTS,
            FILE_COMMANDS,
            SecurityProperties.AUTHORIZATION,
            SecurityProperties.AUDIT,
            SecurityProperties.DO_AS,
            CHANGEABLE,
            ALSO_CHANGEABLE,
            SCHEDULES_AUTHORIZED);

    private static final List<ConfVars> LISTS = List.of(
            ConfVars.HIVE_CONF_RESTRICTED_LIST,
            ConfVars.HIVE_CONF_HIDDEN_LIST,
            ConfVars.HIVE_CONF_INTERNAL_VARIABLE_LIST,
            ConfVars.HIVE_CONF_LOCKED_LIST);

    /**
     * Settings that would become options of a process, would let a session extend its own rights, or would change its
     * user.
     */
    private static final List<String> ALWAYS_RESTRICTED = List.of(
            "hive.server2.proxy.user",
            "hive.server2.enable.doAs",
            "hive.tez.java.opts",
            FunctionPermissions.WHITELIST.name(),
            FunctionPermissions.BLACKLIST.name(),
            "hive.security.authorization.",
            "hive.users.in.admin.role",
            ConfVars.HIVE_SECURITY_COMMAND_WHITELIST.varname);

    /** Settings that users may change while authorization is on, whatever the list has. SET TIME ZONE has no list. */
    private static final Set<String> ALWAYS_CHANGEABLE = Set.of("hive.local.time.zone");

    private final KnownSettings ours;
    private final Map<String, String> server;
    private final SecretSettings secrets;
    private final List<String> restricted;
    private final Set<String> environment;
    private final Set<String> system;
    private final Set<String> toTasks;
    private final long maxJarBytes;
    private final boolean runsScripts;
    private final boolean runsFileCommands;
    private final boolean authorizes;
    private final boolean authorizesSchedules;
    private final boolean audits;
    private final boolean impersonates;
    private final Pattern allowedByList;
    private final Set<String> commands;
    private final FunctionPermissions functions;
    private final SessionMemory.Shared memory = SessionMemory.Shared.ofHeap();

    /**
     * @param ours settings that Skep reads itself
     * @param server settings of the site files
     */
    public SettingRules(KnownSettings ours, Map<String, String> server) {
        this.ours = ours;
        this.server = Map.copyOf(server);
        this.secrets = secrets(server);
        this.restricted = Stream.of(
                        list(server, ConfVars.HIVE_CONF_RESTRICTED_LIST),
                        list(server, ConfVars.HIVE_CONF_INTERNAL_VARIABLE_LIST),
                        list(server, ConfVars.HIVE_CONF_LOCKED_LIST),
                        LISTS.stream().map(one -> one.varname).toList(),
                        ALWAYS_RESTRICTED)
                .flatMap(List::stream)
                .toList();
        SettingsReader reader = new SettingsReader(server);
        this.environment = Set.copyOf(reader.read(ENVIRONMENT));
        this.system = Set.copyOf(reader.read(SYSTEM));
        Set<String> tasks = new HashSet<>(TaskSettings.NAMES);
        tasks.addAll(FunctionSettings.NAMES);
        tasks.addAll(reader.read(TO_TASKS));
        ours.ofSessions().forEach(property -> tasks.add(property.name()));
        this.toTasks = Set.copyOf(tasks);
        this.maxJarBytes = reader.read(MAX_JARS);
        this.runsScripts = reader.read(SCRIPTS);
        this.runsFileCommands = reader.read(FILE_COMMANDS);
        this.authorizes = reader.read(SecurityProperties.AUTHORIZATION);
        this.authorizesSchedules = reader.read(SCHEDULES_AUTHORIZED) && authorizes;
        this.audits = reader.read(SecurityProperties.AUDIT).orElse(authorizes);
        this.impersonates = reader.read(SecurityProperties.DO_AS);
        this.allowedByList =
                authorizes ? allowed(reader.read(CHANGEABLE), reader.read(ALSO_CHANGEABLE)) : Pattern.compile("");
        this.commands = Set.copyOf(list(server, ConfVars.HIVE_SECURITY_COMMAND_WHITELIST));
        this.functions = FunctionPermissions.of(server);
        reader.finish();
    }

    private static List<String> list(Map<String, String> server, ConfVars list) {
        return SecretSettings.names(server.getOrDefault(list.varname, list.getDefaultValue()));
    }

    /** Returns the settings that users may change while authorization is on: Hive's list, and what a site adds. */
    private static Pattern allowed(Optional<String> list, Optional<String> more) {
        // Without a list, a configuration of Hive has the default one.
        String known =
                list.orElseGet(() -> new HiveConf().getVar(ConfVars.HIVE_AUTHORIZATION_SQL_STD_AUTH_CONFIG_WHITELIST));
        try {
            return Pattern.compile(more.map(added -> known + "|" + added).orElse(known));
        } catch (PatternSyntaxException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    CHANGEABLE.name() + " or " + ALSO_CHANGEABLE.name() + " is no regular expression: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Whether statements are checked against grants. Sessions cannot change it. */
    public boolean authorizes() {
        return authorizes;
    }

    /** Whether scheduled queries may run as others than those who create them. Sessions cannot change it. */
    public boolean authorizesSchedules() {
        return authorizesSchedules;
    }

    /** Whether statements record what they need, also while authorization is off. Sessions cannot change it. */
    public boolean audits() {
        return audits;
    }

    /** Whether users need the permissions of HDFS on files. Sessions cannot change it. */
    public boolean impersonates() {
        return impersonates;
    }

    /** Returns which of a server's settings are secrets. */
    public static SecretSettings secrets(Map<String, String> server) {
        return new SecretSettings(list(server, ConfVars.HIVE_CONF_HIDDEN_LIST));
    }

    KnownSettings ours() {
        return ours;
    }

    /** Returns the account of what all sessions under these rules keep. */
    SessionMemory.Shared memory() {
        return memory;
    }

    Map<String, String> server() {
        return server;
    }

    public SecretSettings secrets() {
        return secrets;
    }

    /** Returns the limit for the total size of the jars that a session adds. */
    long maxJarBytes() {
        return maxJarBytes;
    }

    /** Returns which built-in functions statements may use. */
    public FunctionPermissions functions() {
        return functions;
    }

    /**
     * Checks a command that is not SQL.
     *
     * @throws SkepException ACCESS_DENIED when hive.security.command.whitelist does not name it
     */
    public void checkCommand(String command) {
        if (!commands.contains(command.toLowerCase(Locale.ROOT))) {
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, "Insufficient privileges to execute " + command)
                    .withHint("the server allows "
                            + String.join(", ", commands.stream().sorted().toList()) + " with "
                            + ConfVars.HIVE_SECURITY_COMMAND_WHITELIST.varname);
        }
    }

    /** @throws SkepException ACCESS_DENIED when statements may not run scripts */
    public void checkScripts() {
        if (authorizes) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "Query with transform clause is disallowed in current configuration.")
                    .withHint("a script has the rights of the server, whatever the user may do; "
                            + SecurityProperties.AUTHORIZATION.name() + " is on");
        }
        if (impersonates) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "TRANSFORM is not allowed with impersonation: a script has the rights of the server")
                    .withHint(SecurityProperties.DO_AS.name() + " is on");
        }
        if (!runsScripts) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "TRANSFORM is not allowed: a script may do all that the server may")
                    .withHint(SCRIPTS.name() + "=true in the server's settings allows it");
        }
    }

    /** @throws SkepException ACCESS_DENIED when the command dfs is not allowed */
    public void checkFileCommands() {
        String words = "the command dfs is not allowed: it has the rights of the server, whatever the user may do";
        if (authorizes || impersonates) {
            Property<Boolean> why = authorizes ? SecurityProperties.AUTHORIZATION : SecurityProperties.DO_AS;
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, words).withHint(why.name() + " is on");
        }
        if (!runsFileCommands) {
            throw new SkepException(StandardErrorCode.ACCESS_DENIED, words)
                    .withHint(FILE_COMMANDS.name() + "=true in the server's settings allows it");
        }
    }

    /** @throws SkepException ACCESS_DENIED when a session may not change the setting */
    void checkChange(String name) {
        if (restricted.stream().anyMatch(name::startsWith)) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "Cannot modify " + name + " at runtime. It is in the list of parameters that can't be"
                                    + " modified at runtime or is prefixed by a restricted variable")
                    .as(StandardErrorCode.INVALID_CONFIGURATION.client());
        }
        if (authorizes
                && !ALWAYS_CHANGEABLE.contains(name)
                && ours.findOfSession(name).isEmpty()
                && !allowedByList.matcher(name).matches()) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "Cannot modify " + name + " at runtime. It is not in list of params that are allowed to"
                                    + " be modified at runtime")
                    .as(StandardErrorCode.INVALID_CONFIGURATION.client());
        }
    }

    Optional<String> environment(String name) {
        return environment.contains(name) ? Optional.ofNullable(System.getenv(name)) : Optional.empty();
    }

    Optional<String> system(String name) {
        return system.contains(name) ? Optional.ofNullable(System.getProperty(name)) : Optional.empty();
    }

    /**
     * Whether a setting is sent to tasks. These are the settings that tasks read, and those that a session has set for
     * its own functions.
     *
     * @param ofSession whether the session itself has set it
     */
    boolean goesToTasks(String name, boolean ofSession) {
        if (secrets.isSecret(name)) {
            return false;
        }
        return toTasks.contains(name)
                || (ofSession
                        && HiveConf.getConfVars(name) == null
                        && ours.find(name).isEmpty());
    }
}
