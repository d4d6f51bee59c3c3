package io.skep.itests.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;

/** A function that does not return before {@link #release}. With a second argument it ignores interrupts. */
public final class StubbornFunction extends GenericUDF {
    private static final String RELEASE = "skep.test.stubborn.release";
    private static final AtomicInteger INSIDE = new AtomicInteger();

    /** Lets all current and future calls return. */
    static void release() {
        System.setProperty(RELEASE, "now");
    }

    /** Makes future calls block. */
    static void hold() {
        System.clearProperty(RELEASE);
    }

    /** Returns how many threads are in the function. */
    static int inside() {
        return INSIDE.get();
    }

    @Override
    public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
        return PrimitiveObjectInspectorFactory.javaIntObjectInspector;
    }

    @Override
    public Object evaluate(DeferredObject[] arguments) throws HiveException {
        INSIDE.incrementAndGet();
        try {
            return untilReleased(arguments);
        } finally {
            INSIDE.decrementAndGet();
        }
    }

    private static Object untilReleased(DeferredObject[] arguments) throws HiveException {
        while (System.getProperty(RELEASE) == null) {
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                if (arguments.length == 1) {
                    throw new HiveException("interrupted", e);
                }
            }
        }
        return 1;
    }

    @Override
    public String getDisplayString(String[] children) {
        return "stubborn";
    }
}
