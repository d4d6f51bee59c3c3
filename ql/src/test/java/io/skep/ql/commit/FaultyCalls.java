package io.skep.ql.commit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Wraps a peer of the server, such as the catalog or a table's files. Each call is a step that may fail. */
public final class FaultyCalls {
    private FaultyCalls() {}

    public static <T> T of(Class<T> type, T peer, StepFaults faults) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> isRead(method)
                        ? faults.read(() -> call(peer, method, arguments))
                        : faults.taken(() -> call(peer, method, arguments))));
    }

    /** Wraps files. Only changes are steps. */
    public static TableFiles files(TableFiles files, StepFaults faults) {
        return (TableFiles) Proxy.newProxyInstance(
                TableFiles.class.getClassLoader(),
                new Class<?>[] {TableFiles.class},
                (proxy, method, arguments) -> method.getReturnType() == void.class
                        ? faults.taken(() -> call(files, method, arguments))
                        : call(files, method, arguments));
    }

    private static boolean isRead(Method method) {
        return !method.getName()
                .matches("(create|alter|drop|add|put|rename|begin|replace|write|leave|end|open|commit|abort).*");
    }

    private static Object call(Object peer, Method method, Object[] arguments) {
        try {
            return method.invoke(peer, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
