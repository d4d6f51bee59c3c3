package io.skep.ql.authorize;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import io.skep.metastore.Table;
import io.skep.ql.policy.TablePolicies;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAccessControlException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveOperationType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorizer of a site, for one session. Whatever else than an answer comes from it refuses the statement.
 * Thread-safe as far as the authorizer is; Hive also calls one from several threads.
 */
public final class PluginAuthorizer {
    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthorizer.class);

    private final HiveAuthorizer authorizer;
    private final Optional<String> address;
    private final ClassLoader classes;
    private final PrivilegeObjects objects;

    private PluginAuthorizer(
            HiveAuthorizer authorizer, Optional<String> address, ClassLoader classes, PrivilegeObjects objects) {
        this.authorizer = authorizer;
        this.address = address;
        this.classes = classes;
        this.objects = objects;
    }

    static PluginAuthorizer open(
            Callable<HiveAuthorizer> factory, String user, Optional<String> address, ClassLoader classes) {
        HiveAuthorizer authorizer = answer(classes, AccessCheck::denied, factory);
        return new PluginAuthorizer(authorizer, address, classes, new PrivilegeObjects(user));
    }

    /** One call of the authorizer. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object> {
        T of(HiveAuthorizer authorizer) throws Exception;
    }

    /**
     * Calls the authorizer.
     *
     * @param denied makes the error from the authorizer's words when it refuses
     * @throws SkepException AUTHORIZER_FAILED when it fails
     */
    public <T extends @Nullable Object> T call(Function<String, SkepException> denied, Call<T> call) {
        return answer(classes, denied, () -> call.of(authorizer));
    }

    private static <T extends @Nullable Object> T answer(
            ClassLoader classes, Function<String, SkepException> denied, Callable<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return call.call();
        } catch (HiveAccessControlException e) {
            throw denied.apply(words(e));
        } catch (Exception | LinkageError e) {
            if (e instanceof InterruptedException) {
                thread.interrupt();
            }
            LOG.warn("the authorizer of the site has failed", e);
            throw new SkepException(
                            StandardErrorCode.AUTHORIZER_FAILED,
                            "the authorizer of the server has failed: " + words(e),
                            e)
                    .withHint("the server's log has the cause; " + AuthorizerPlugin.MANAGER.name() + " names it");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String words(Throwable e) {
        return Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }

    private HiveAuthzContext context(@Nullable String statement) {
        HiveAuthzContext.Builder context = new HiveAuthzContext.Builder();
        address.ifPresent(context::setUserIpAddress);
        context.setForwardedAddresses(List.of());
        context.setCommandString(statement);
        return context.build();
    }

    /** @throws SkepException ACCESS_DENIED with the authorizer's words */
    void check(String operation, List<AccessNeed> needs, String statement) {
        HiveOperationType type = HiveOperationType.valueOf(operation);
        List<HivePrivilegeObject> inputs = objects.of(AccessNeed.Side.INPUT, needs);
        List<HivePrivilegeObject> outputs = objects.of(AccessNeed.Side.OUTPUT, needs);
        call(AccessCheck::denied, plugin -> {
            plugin.checkPrivileges(type, inputs, outputs, context(statement));
            return null;
        });
    }

    /** Returns an object that a statement names, for other calls of the authorizer. */
    public HivePrivilegeObject object(AccessNeed need) {
        return objects.of(need.side(), List.of(need)).getFirst();
    }

    boolean isVisible(Table table) {
        return isListed(PrivilegeObjects.table(table));
    }

    boolean isVisible(Database database) {
        return isListed(PrivilegeObjects.database(database));
    }

    private boolean isListed(HivePrivilegeObject object) {
        List<HivePrivilegeObject> shown =
                call(AccessCheck::denied, plugin -> plugin.filterListCmdObjects(List.of(object), context(null)));
        return shown != null && !shown.isEmpty();
    }

    /** Whether a role is one of those that count for the user. */
    boolean isMember(String role) {
        return call(AccessCheck::denied, HiveAuthorizer::getCurrentRoleNames).stream()
                .anyMatch(role::equalsIgnoreCase);
    }

    /**
     * Returns the row filter and the masks of the user for a table or view.
     *
     * @throws SkepException AUTHORIZER_FAILED when the answer is not about the table
     */
    TablePolicies policies(Table table, String statement) {
        return call(AccessCheck::denied, plugin -> {
            if (!plugin.needTransform()) {
                return TablePolicies.NONE;
            }
            HivePrivilegeObject asked = PrivilegeObjects.allColumns(table);
            List<HivePrivilegeObject> answers =
                    plugin.applyRowFilterAndColumnMasking(context(statement), Collections.singletonList(asked));
            return answers == null || answers.isEmpty() ? TablePolicies.NONE : policies(asked, answers);
        });
    }

    private static TablePolicies policies(HivePrivilegeObject asked, List<HivePrivilegeObject> answers) {
        HivePrivilegeObject answer = answers.getFirst();
        if (answers.size() > 1
                || !asked.getObjectName().equalsIgnoreCase(answer.getObjectName())
                || !asked.getDbname().equalsIgnoreCase(answer.getDbname())) {
            throw new IllegalStateException("the row filter and masks are not for " + asked);
        }
        Map<String, String> masks = new HashMap<>();
        List<String> transformers = answer.getCellValueTransformers();
        if (transformers != null) {
            List<String> columns = answer.getColumns();
            if (columns == null || columns.size() != transformers.size()) {
                throw new IllegalStateException("there are not as many masks as columns for " + asked);
            }
            for (int i = 0; i < transformers.size(); i++) {
                String mask = transformers.get(i);
                String column = columns.get(i).toLowerCase(Locale.ROOT);
                if (mask != null && !mask.equalsIgnoreCase(column)) {
                    masks.put(column, mask);
                }
            }
        }
        Optional<String> filter =
                Optional.ofNullable(answer.getRowFilterExpression()).filter(text -> !text.isBlank());
        return new TablePolicies(filter, masks);
    }
}
