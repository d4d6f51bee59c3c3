package io.skep.llap.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.cache.MissCause;
import io.skep.llap.server.cache.SecondTierSnapshot;
import io.skep.llap.server.cache.TableCacheStats;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestCacheStats {
    @Test
    void missesAreShownByCauseInAllAndForEachTable() {
        Map<String, TableCacheStats.Snapshot> tables = new HashMap<>();
        tables.put("a", table(Map.of(MissCause.COLD, 3L), 10));
        tables.put("b", table(Map.of(MissCause.COLD, 1L, MissCause.EVICTED, 4L), 20));
        List<FigureView> views = CacheStats.of(snapshot(tables));
        assertThat(views)
                .contains(
                        count("Cache", "misses", 8),
                        count("Cache", "missed: never seen", 4),
                        count("Cache", "missed: evicted", 4),
                        count("Cache", "missed: not admitted", 0),
                        count("Cache: b", "missed: never seen", 1),
                        count("Cache: b", "missed: evicted", 4),
                        count("Cache: a", "missed: never seen", 3))
                .doesNotContain(count("Cache: a", "missed: evicted", 0));
    }

    @Test
    void onlyTheLargestTablesAreShown() {
        Map<String, TableCacheStats.Snapshot> tables = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            tables.put("t" + i, table(Map.of(), i));
        }
        List<String> groups = CacheStats.of(snapshot(tables)).stream()
                .map(FigureView::group)
                .distinct()
                .toList();
        assertThat(groups).hasSize(21).startsWith("Cache", "Cache: t99", "Cache: t98");
    }

    @Test
    void theDiskIsShownWhereThereIsOne() {
        assertThat(CacheStats.of(snapshot(Map.of())))
                .noneMatch(view -> view.group().equals("Disk cache"));
        SecondTierSnapshot disk = new SecondTierSnapshot(1000, 500, 5, 4, 9, 900, 3, 2, 1, 0);
        assertThat(CacheStats.of(new CacheSnapshot(100, 50, 30, 2, 0, disk, Map.of())))
                .contains(count("Disk cache", "hits", 4), count("Disk cache", "damaged", 1));
    }

    private static CacheSnapshot snapshot(Map<String, TableCacheStats.Snapshot> tables) {
        return new CacheSnapshot(100, 50, 30, 2, 0, SecondTierSnapshot.NONE, tables);
    }

    private static TableCacheStats.Snapshot table(Map<MissCause, Long> misses, long bytes) {
        return new TableCacheStats.Snapshot(7, misses, 0, 1, 2, bytes);
    }

    private static FigureView count(String group, String name, long value) {
        return new FigureView(group, name, value, Unit.COUNT);
    }
}
