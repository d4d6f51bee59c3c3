package io.skep.engine.function.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

class TestHiveScalarFunction {
    private final HiveSession session = new HiveSession(Map.of(), TestHiveScalarFunction.class.getClassLoader());

    /**
     * add_months, for example, uses its thread's date format. Two threads that shared it would corrupt each other's
     * results.
     */
    @Test
    void whatIsBoundToAThreadIsNotShared() {
        HiveScalarFunction first = bound(new BoundToThread());
        HiveScalarFunction second = bound(new BoundToThread());
        assertThat(number(first)).isNotEqualTo(number(second));
        assertThat(number(first)).isEqualTo(number(first));
    }

    @Test
    void refusalsComeThrough() {
        assertThatThrownBy(() -> bound(new Refusing())).hasMessageContaining("never");
    }

    /** The buffers of Hive's classes never shrink. */
    @Test
    void anInstanceIsGivenUpAfterALongValue() {
        HiveScalarFunction function = bound(new KeepsItsResult());
        int before = KeepsItsResult.INSTANCES.get();
        function.evaluate(new Vector[0], 2);
        assertThat(KeepsItsResult.INSTANCES.get()).isEqualTo(before);
        KeepsItsResult.length = 3 << 20;
        try {
            BytesVector result = (BytesVector) function.evaluate(new Vector[0], 1);
            assertThat(result.lengths()[0]).isEqualTo(3 << 20);
        } finally {
            KeepsItsResult.length = 1;
        }
        assertThat(KeepsItsResult.INSTANCES.get()).isEqualTo(before + 1);
        assertThat(((BytesVector) function.evaluate(new Vector[0], 1)).lengths()[0])
                .isEqualTo(1);
    }

    private HiveScalarFunction bound(GenericUDF function) {
        return new HiveScalarFunction("f", function, List.of(), null, session);
    }

    private static long number(HiveScalarFunction function) {
        return ((LongVector) function.evaluate(new Vector[0], 1)).values()[0];
    }

    /** Returns the number of the thread in which it was initialized. */
    public static class BoundToThread extends GenericUDF {
        private static final AtomicInteger THREADS = new AtomicInteger();
        private static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(THREADS::incrementAndGet);

        private int number;

        @Override
        public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
            number = NUMBER.get();
            return PrimitiveObjectInspectorFactory.javaIntObjectInspector;
        }

        @Override
        public Object evaluate(DeferredObject[] arguments) {
            return number;
        }

        @Override
        public String getDisplayString(String[] children) {
            return "bound()";
        }
    }

    /** Returns a text of a given length. */
    public static final class KeepsItsResult extends GenericUDF {
        private static final AtomicInteger INSTANCES = new AtomicInteger();
        private static volatile int length = 1;

        private final Text result = new Text();

        public KeepsItsResult() {
            INSTANCES.incrementAndGet();
        }

        @Override
        public ObjectInspector initialize(ObjectInspector[] arguments) {
            return PrimitiveObjectInspectorFactory.writableStringObjectInspector;
        }

        @Override
        public Object evaluate(DeferredObject[] arguments) {
            result.set(new byte[length]);
            return result;
        }

        @Override
        public String getDisplayString(String[] children) {
            return "keeps()";
        }
    }

    /** Fails when it is initialized. */
    public static class Refusing extends BoundToThread {
        @Override
        public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentException {
            throw new UDFArgumentException("never");
        }
    }
}
