package io.skep.ql.optimize;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.rules.SemiJoinRule;

/**
 * Semi joins in the place of joins with an aggregate of which only the keys are needed, by Calcite's rules. Those take an aggregate
 * without keys as well, which has a row even where its input has none.
 */
final class KeyedSemiJoins {
    static final List<RelOptRule> RULES = List.of(
            new UnderProject(SemiJoinRule.ProjectToSemiJoinRule.ProjectToSemiJoinRuleConfig.DEFAULT),
            new Alone(SemiJoinRule.JoinToSemiJoinRule.JoinToSemiJoinRuleConfig.DEFAULT));

    private KeyedSemiJoins() {}

    private static boolean hasKeys(Join join, Aggregate aggregate) {
        return aggregate.getGroupCount() > 0 || join.getJoinType() == JoinRelType.LEFT;
    }

    private static final class UnderProject extends SemiJoinRule.ProjectToSemiJoinRule {
        UnderProject(ProjectToSemiJoinRuleConfig config) {
            super(config);
        }

        @Override
        public boolean matches(RelOptRuleCall call) {
            return hasKeys(call.rel(1), call.rel(3));
        }
    }

    private static final class Alone extends SemiJoinRule.JoinToSemiJoinRule {
        Alone(JoinToSemiJoinRuleConfig config) {
            super(config);
        }

        @Override
        public boolean matches(RelOptRuleCall call) {
            return hasKeys(call.rel(0), call.rel(2));
        }
    }
}
