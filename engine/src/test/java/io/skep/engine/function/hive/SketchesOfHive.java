package io.skep.engine.function.hive;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.AggregationBuffer;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;

/** Creates sketches of many values with Hive's aggregate functions. */
@SuppressWarnings("deprecation")
final class SketchesOfHive {
    private SketchesOfHive() {}

    static byte[] of(String function, boolean ofTexts, int values) throws Exception {
        HiveSession session = new HiveSession(Map.of(), SketchesOfHive.class.getClassLoader());
        boolean ofFloats = function.contains("kll");
        SqlType type = ofTexts ? PrimitiveType.STRING : ofFloats ? PrimitiveType.FLOAT : PrimitiveType.DOUBLE;
        List<HiveArgument> arguments = new ArrayList<>(List.of(new HiveArgument(type, null)));
        if (function.contains("tuple")) {
            arguments.add(new HiveArgument(PrimitiveType.DOUBLE, null));
        }
        if (function.contains("freq")) {
            arguments.add(new HiveArgument(PrimitiveType.INT, new Datum.OfLong(1024)));
        }
        HiveAggregates.Bound bound = new HiveAggregates.Bound(function, arguments, false, false);
        GenericUDAFEvaluator evaluator = new HiveAggregates(new HiveFunctions(session))
                .raw(bound, Mode.COMPLETE)
                .evaluator();
        AggregationBuffer buffer = evaluator.getNewAggregationBuffer();
        for (int i = 0; i < values; i++) {
            Object value = ofTexts ? new Text("value " + i) : ofFloats ? new FloatWritable(i) : new DoubleWritable(i);
            Object second = function.contains("freq") ? new IntWritable(1024) : new DoubleWritable(1);
            evaluator.iterate(buffer, arguments.size() == 1 ? new Object[] {value} : new Object[] {value, second});
        }
        return evaluator.terminate(buffer) instanceof BytesWritable bytes ? bytes.copyBytes() : new byte[0];
    }
}
