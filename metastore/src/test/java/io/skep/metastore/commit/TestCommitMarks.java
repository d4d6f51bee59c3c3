package io.skep.metastore.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.commit.CommitMarks.Mark;
import io.skep.metastore.testing.TestingMetastore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCommitMarks {
    private static final String LONG_NAME = "t".repeat(250);

    private EmbeddedPostgres postgres;
    private TestingMetastore metastore;
    private TestingMetastore second;
    private CommitMarks marks;
    private CommitMarks others;

    @BeforeAll
    void open() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        Map<String, String> site =
                Map.of("javax.jdo.option.ConnectionURL", postgres.getJdbcUrl("postgres", "postgres"));
        metastore = TestingMetastore.open(site);
        second = TestingMetastore.open(site);
        marks = metastore.metastore().commitMarks().orElseThrow();
        others = second.metastore().commitMarks().orElseThrow();
    }

    @AfterAll
    void close() throws IOException {
        second.close();
        metastore.close();
        postgres.close();
    }

    @AfterEach
    void endAll() {
        marks.look().marks().forEach(mark -> marks.end(mark.owner()));
    }

    @Test
    void aTableHasOneMarkAndSeveralAreMarkedTogether() {
        CommitOwner first = marks.owner("c1");
        assertThat(marks.begin(Set.of("db.b"), first)).isTrue();
        assertThat(others.begin(Set.of("db.b"), others.owner("c2"))).isFalse();
        assertThat(others.begin(Set.of("db.a", "db.b"), others.owner("c3"))).isFalse();
        assertThat(others.look().marks()).containsExactly(new Mark("db.b", first));
        assertThat(others.look().of(Set.of("db.a"))).isEmpty();
        assertThat(marks.end(first)).isTrue();
        CommitOwner both = others.owner("c4");
        assertThat(others.begin(Set.of("db.a", "db.b"), both)).isTrue();
        assertThat(marks.look().marks()).containsExactlyInAnyOrder(new Mark("db.a", both), new Mark("db.b", both));
        assertThat(others.end(both)).isTrue();
        assertThat(marks.look().marks()).isEmpty();
    }

    @Test
    void onlyTheOwnerGoesOn() {
        CommitOwner first = marks.owner("c1");
        assertThat(marks.begin(Set.of("db.t"), first)).isTrue();
        assertThat(marks.journal(first)).isEmpty();
        assertThat(marks.write(first, new byte[] {1, 2})).isTrue();
        CommitOwner taken = others.taken(first);
        assertThat(others.isOwn(taken)).isTrue();
        assertThat(marks.isOwn(taken)).isFalse();
        assertThat(marks.wasBegunHere(taken)).isTrue();
        assertThat(others.wasBegunHere(taken)).isFalse();
        assertThat(others.replace(first, taken)).isTrue();
        assertThat(marks.replace(first, first.beaten())).isFalse();
        assertThat(marks.write(first, new byte[0])).isFalse();
        assertThat(marks.end(first)).isFalse();
        assertThat(others.journal(taken))
                .hasValueSatisfying(journal -> assertThat(journal).containsExactly(1, 2));
        assertThat(others.end(taken)).isTrue();
    }

    @Test
    void namesMayBeLongerThanAKey() {
        String one = CommitMarks.keyOf("db", LONG_NAME);
        String other = CommitMarks.keyOf("db", LONG_NAME + "2");
        assertThat(one).isNotEqualTo(other);
        CommitOwner owner = marks.owner("c1");
        assertThat(marks.begin(Set.of(one, other), owner)).isTrue();
        assertThat(marks.look().of(Set.of(other))).contains(new Mark(other, owner));
        assertThat(marks.look().of(Set.of(CommitMarks.keyOf("db", "t")))).isEmpty();
    }

    @Test
    void theLogTellsWhichTableHasChanged() {
        long before = marks.look().position();
        metastore.createDatabase("changes");
        metastore
                .catalog()
                .createTable(CatalogFixtures.table("changes", "t", CatalogFixtures.columns("a", "int"), List.of()));
        assertThat(others.look().position()).isGreaterThan(before);
        assertThat(others.changed("changes", "t", before)).isTrue();
        assertThat(others.changed("changes", "u", before)).isFalse();
        assertThat(others.changed("changes", "t", others.look().position())).isFalse();
    }

    @Test
    void aChangeOfTheCatalogFailsOnceItsMarkWasTakenOver() {
        CommitOwner owner = marks.owner("c");
        assertThat(marks.begin(Set.of("db.t"), owner)).isTrue();
        CommitFence fence = new CommitFence("db.t", owner);
        assertThat(fence.around(() -> metastore.createDatabase("fenced")).name())
                .isEqualTo("fenced");
        // The fence ignores beats.
        CommitOwner beaten = owner.beaten();
        assertThat(marks.replace(owner, beaten)).isTrue();
        fence.around(() -> metastore.createDatabase("fenced_again"));
        CommitOwner taken = others.taken(beaten);
        assertThat(others.replace(beaten, taken)).isTrue();
        assertThatThrownBy(() -> fence.around(() -> metastore.createDatabase("late")))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.METASTORE_ERROR));
        assertThat(others.end(taken)).isTrue();
        assertThatThrownBy(() -> fence.around(() -> metastore.createDatabase("late")))
                .isInstanceOf(SkepException.class);
        assertThat(metastore.metastore().uncached().databases())
                .contains("fenced", "fenced_again")
                .doesNotContain("late");
    }
}
