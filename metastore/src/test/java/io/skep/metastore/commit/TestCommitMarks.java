package io.skep.metastore.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.commit.LeaseStore.Mark;
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
    private LeaseStore marks;
    private LeaseStore others;

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
        marks.snapshot().marks().forEach(mark -> marks.end(mark.owner()));
    }

    @Test
    void aTableHasOneMarkAndSeveralAreMarkedTogether() {
        CommitOwner first = marks.owner("c1");
        assertThat(marks.begin(Set.of("db.b"), first)).isTrue();
        assertThat(others.begin(Set.of("db.b"), others.owner("c2"))).isFalse();
        assertThat(others.begin(Set.of("db.a", "db.b"), others.owner("c3"))).isFalse();
        assertThat(others.snapshot().marks()).containsExactly(new Mark("db.b", first));
        assertThat(others.snapshot().of(Set.of("db.a"))).isEmpty();
        assertThat(marks.end(first)).isTrue();
        CommitOwner both = others.owner("c4");
        assertThat(others.begin(Set.of("db.a", "db.b"), both)).isTrue();
        assertThat(marks.snapshot().marks()).containsExactlyInAnyOrder(new Mark("db.a", both), new Mark("db.b", both));
        assertThat(others.end(both)).isTrue();
        assertThat(marks.snapshot().marks()).isEmpty();
    }

    @Test
    void onlyTheOwnerGoesOn() {
        CommitOwner first = marks.owner("c1");
        assertThat(marks.begin(Set.of("db.t"), first)).isTrue();
        assertThat(marks.journal(first)).isEmpty();
        assertThat(marks.write(first, new byte[] {1, 2})).isTrue();
        CommitOwner taken = others.takeOver(first);
        assertThat(others.isOwn(taken)).isTrue();
        assertThat(marks.isOwn(taken)).isFalse();
        assertThat(marks.isBegunByThisServer(taken)).isTrue();
        assertThat(others.isBegunByThisServer(taken)).isFalse();
        assertThat(others.replace(first, taken)).isTrue();
        assertThat(marks.replace(first, first.nextBeat())).isFalse();
        assertThat(marks.write(first, new byte[0])).isFalse();
        assertThat(marks.end(first)).isFalse();
        assertThat(others.journal(taken))
                .hasValueSatisfying(journal -> assertThat(journal).containsExactly(1, 2));
        assertThat(others.end(taken)).isTrue();
    }

    @Test
    void namesMayBeLongerThanAKey() {
        String one = LeaseStore.keyOf("db", LONG_NAME);
        String other = LeaseStore.keyOf("db", LONG_NAME + "2");
        assertThat(one).isNotEqualTo(other);
        CommitOwner owner = marks.owner("c1");
        assertThat(marks.begin(Set.of(one, other), owner)).isTrue();
        assertThat(marks.snapshot().of(Set.of(other))).contains(new Mark(other, owner));
        assertThat(marks.snapshot().of(Set.of(LeaseStore.keyOf("db", "t")))).isEmpty();
    }

    @Test
    void theLogTellsWhichTableHasChanged() {
        long before = marks.snapshot().position();
        metastore.createDatabase("changes");
        metastore
                .catalog()
                .createTable(CatalogFixtures.table("changes", "t", CatalogFixtures.columns("a", "int"), List.of()));
        assertThat(others.snapshot().position()).isGreaterThan(before);
        assertThat(others.changed("changes", "t", before)).isTrue();
        assertThat(others.changed("changes", "u", before)).isFalse();
        assertThat(others.changed("changes", "t", others.snapshot().position())).isFalse();
    }

    @Test
    void aChangeOfTheCatalogFailsOnceItsMarkWasTakenOver() {
        CommitOwner owner = marks.owner("c");
        assertThat(marks.begin(Set.of("db.t"), owner)).isTrue();
        CommitFence fence = new CommitFence("db.t", owner);
        assertThat(fence.run(() -> metastore.createDatabase("fenced")).name()).isEqualTo("fenced");
        // The fence ignores beats.
        CommitOwner beaten = owner.nextBeat();
        assertThat(marks.replace(owner, beaten)).isTrue();
        fence.run(() -> metastore.createDatabase("fenced_again"));
        CommitOwner taken = others.takeOver(beaten);
        assertThat(others.replace(beaten, taken)).isTrue();
        assertThatThrownBy(() -> fence.run(() -> metastore.createDatabase("late")))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.METASTORE_ERROR));
        assertThat(others.end(taken)).isTrue();
        assertThatThrownBy(() -> fence.run(() -> metastore.createDatabase("late")))
                .isInstanceOf(SkepException.class);
        assertThat(metastore.metastore().uncached().databases())
                .contains("fenced", "fenced_again")
                .doesNotContain("late");
    }
}
