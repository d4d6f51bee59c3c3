package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.junit.jupiter.api.Test;

/** Tests which joins with an aggregation become semi joins. */
class TestKeyedSemiJoins {
    private static final String KEYS = "(select k from b group by k)";

    private final RelFixture fixture =
            new RelFixture().table("a", "k int, x int", 1000).table("b", "k int, y int", 1000);

    private String after(String sql) {
        List<RelOptRule> rules = new ArrayList<>(KeyedSemiJoins.RULES);
        rules.add(CoreRules.PROJECT_MERGE);
        rules.add(CoreRules.PROJECT_REMOVE);
        return RelFixture.text(fixture.after(rules, fixture.analyzed(sql)));
    }

    @Test
    void joinsWithTheKeysOfAnAggregation() {
        assertThat(after("select a.x from a join " + KEYS + " t on a.k = t.k"))
                .contains("joinType=[semi]")
                .doesNotContain("Aggregate");
    }

    @Test
    void notWhereColumnsOfTheAggregationAreNeeded() {
        assertThat(after("select a.x, t.k + 1 from a join " + KEYS + " t on a.k = t.k"))
                .doesNotContain("semi")
                .contains("Aggregate");
        assertThat(after("select a.x, n from a join (select k, count(*) as n from b group by k) t on a.k = t.k"))
                .doesNotContain("semi");
    }

    @Test
    void notWhereARowMayMatchSeveralGroups() {
        assertThat(after("select a.x from a join (select k, y from b group by k, y) t on a.k = t.k"))
                .doesNotContain("semi");
    }

    /** An aggregation without keys has a row even if its input is empty. */
    @Test
    void notWithoutKeys() {
        assertThat(after("select a.x from a join (select count(*) as n from b) t on true"))
                .doesNotContain("semi")
                .contains("LogicalAggregate(group=[{}]");
    }

    @Test
    void leftJoinsNeedNoAggregationAtAll() {
        assertThat(after("select a.x from a left join " + KEYS + " t on a.k = t.k"))
                .doesNotContain("Join")
                .doesNotContain("Aggregate");
    }

    @Test
    void notOuterJoinsThatKeepTheAggregation() {
        assertThat(after("select a.x from a right join " + KEYS + " t on a.k = t.k"))
                .doesNotContain("semi")
                .contains("joinType=[right]");
        assertThat(after("select a.x from a full join " + KEYS + " t on a.k = t.k"))
                .doesNotContain("semi")
                .contains("joinType=[full]");
    }
}
