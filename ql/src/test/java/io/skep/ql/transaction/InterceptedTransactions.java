package io.skep.ql.transaction;

import io.skep.metastore.transaction.TransactionStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Real transactions, with something that happens before or after calls. */
interface InterceptedTransactions {
    /** Runs one call, or does something else. */
    @Nullable
    Object around(String method, Call call) throws Throwable;

    /** The real call. */
    interface Call {
        @Nullable
        Object proceed() throws Throwable;
    }

    static TransactionStore of(TransactionStore real, InterceptedTransactions interception) {
        return (TransactionStore) Proxy.newProxyInstance(
                TransactionStore.class.getClassLoader(),
                new Class<?>[] {TransactionStore.class},
                (_, method, arguments) -> interception.around(method.getName(), () -> invoke(real, method, arguments)));
    }

    private static @Nullable Object invoke(TransactionStore real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
