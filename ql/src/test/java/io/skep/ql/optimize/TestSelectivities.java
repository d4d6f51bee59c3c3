package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skep.ql.testing.RelFixture;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the expected shares of rows that conditions keep. */
class TestSelectivities {
    private final RelFixture fixture = new RelFixture()
            .table("t", "k int, n int, s string, u int", 1000)
            .range("t", "k", 100, 0, 0, 100)
            .range("t", "n", 50, 400, 0, 100)
            .distinct("t", "s", 20);

    private double share(String condition) {
        RelNode root = fixture.analyzed("select 1 from t where " + condition);
        while (!(root instanceof Filter)) {
            root = root.getInput(0);
        }
        AlgebraMetadata metadata = fixture.metadata();
        metadata.install(root.getCluster());
        Filter filter = (Filter) root;
        return metadata.selectivities().of(filter.getCondition(), filter.getInput(), metadata.query(root.getCluster()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Equality: one of the distinct values.
                "k = 7 | 0.01",
                "k = 7 or k = 8 | 0.0199",
                "k in (1, 2, 3, 4) | 0.0394",
                "k <> 7 | 0.99",
                "s = 'x' | 0.05",
                "n = 7 | 0.012",
                "k = n | 0.006",
                // Ranges: an even spread between the bounds.
                "k < 25 | 0.25",
                "k >= 25 | 0.75",
                "25 > k | 0.25",
                "k > 20 and k <= 30 | 0.1",
                "k between 20 and 30 | 0.1",
                "k < 1000 | 1",
                "k < -5 | 0.0005",
                "k > 80 and k < 20 | 0.0005",
                "n < 50 | 0.3",
                // Nulls.
                "n is null | 0.4",
                "n is not null | 0.6",
                "k is null | 0",
                // Combinations of independent conditions.
                "k < 50 and s = 'x' | 0.025",
                "k < 50 or s = 'x' | 0.525",
                "not (k < 25) | 0.75",
                // Columns without statistics, and other conditions.
                "u = 7 | 0.05",
                "u < 7 | 0.33",
                "u is null | 0.1",
                "s like 'x%' | 0.1",
                "k + 1 = 3 | 0.05",
                "length(s) > u | 0.33",
                "true | 1",
                "false | 0"
            })
    void shareOfRows(String condition, double expected) {
        assertThat(share(condition)).isCloseTo(expected, within(1e-4));
    }

    @Test
    void aBoundOfOneColumnDoesNotLimitAnother() {
        assertThat(share("k > 50 and n < 50")).isCloseTo(0.5 * 0.3, within(1e-4));
    }

    @Test
    void longListsAreNotEstimatedOneByOne() {
        StringBuilder list = new StringBuilder("k in (0");
        for (int i = 1; i <= 1000; i++) {
            list.append(", ").append(2 * i);
        }
        assertThat(share(list + ")")).isEqualTo(0.5);
    }
}
