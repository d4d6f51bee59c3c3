package io.skep.engine.function.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.storage.serde.value.HiveTypes;
import java.util.List;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.parse.SemanticException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFResolver;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFResolver2;
import org.apache.hadoop.hive.ql.udf.generic.SimpleGenericUDAFParameterInfo;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Creates evaluators of Hive's aggregate functions, initialized for a step. */
@SuppressWarnings("deprecation")
public final class HiveAggregates {
    private final HiveFunctions functions;

    public HiveAggregates(HiveFunctions functions) {
        this.functions = functions;
    }

    /** A UDAF bound to arguments. */
    public record Bound(String name, List<HiveArgument> arguments, boolean distinct, boolean star) {
        public Bound {
            arguments = List.copyOf(arguments);
        }
    }

    /** An evaluator, and the inspector of its results in the mode for which it was initialized. */
    public record Initialized(GenericUDAFEvaluator evaluator, ObjectInspector result) {}

    public HiveSession session() {
        return functions.session();
    }

    public SqlType stateType(Bound aggregate) {
        return HiveTypes.type(
                start(aggregate, Mode.PARTIAL1, inspectors(aggregate)).result());
    }

    public SqlType type(Bound aggregate) {
        return HiveTypes.type(
                start(aggregate, Mode.COMPLETE, inspectors(aggregate)).result());
    }

    /** Returns an evaluator from raw rows to states (PARTIAL1) or results (COMPLETE). */
    public Initialized raw(Bound aggregate, Mode mode) {
        return start(aggregate, mode, inspectors(aggregate));
    }

    /**
     * Returns an evaluator from states to states (PARTIAL2) or results (FINAL). It reads states through the standard
     * inspector of their type.
     */
    public Initialized merging(Bound aggregate, SqlType stateType, Mode mode) {
        return start(aggregate, mode, new ObjectInspector[] {
            HiveTypes.inspector(stateType, session().zone())
        });
    }

    private ObjectInspector[] inspectors(Bound aggregate) {
        return aggregate.arguments().stream()
                .map(argument -> argument.inspector(session().zone()))
                .toArray(ObjectInspector[]::new);
    }

    private Initialized start(Bound aggregate, Mode mode, ObjectInspector[] inputs) {
        try (HiveSession.Scope _ = session().enter()) {
            GenericUDAFEvaluator evaluator = evaluator(aggregate);
            evaluator.configure(session().taskContext());
            return new Initialized(evaluator, evaluator.init(mode, inputs));
        } catch (HiveException | RuntimeException | LinkageError e) {
            throw HiveErrors.refused(aggregate.name(), e);
        }
    }

    private GenericUDAFEvaluator evaluator(Bound aggregate) throws SemanticException {
        GenericUDAFResolver resolver = functions.aggregate(aggregate.name());
        if (resolver == null) {
            throw new SkepException(
                    StandardErrorCode.FUNCTION_NOT_FOUND, "there is no aggregate function '" + aggregate.name() + "'");
        }
        ObjectInspector[] inspectors = inspectors(aggregate);
        if (resolver instanceof GenericUDAFResolver2 newer) {
            return newer.getEvaluator(new SimpleGenericUDAFParameterInfo(
                    inspectors, false, aggregate.distinct(), aggregate.star(), true));
        }
        TypeInfo[] types = new TypeInfo[inspectors.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = TypeInfoUtils.getTypeInfoFromObjectInspector(inspectors[i]);
        }
        return resolver.getEvaluator(types);
    }
}
