package io.skep.ql.optimize;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.rules.SemiJoinRule;

/**
 * Replaces a join with an aggregate by a semi join if only the aggregate's keys are needed, with Calcite's rules. Those
 * rules also match an aggregate without keys, which returns a row even for an empty input. The variants here exclude
 * that case, except in left joins.
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
