package io.skep.llap.server.view;

import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.cache.MissCause;
import io.skep.llap.server.cache.SecondTierSnapshot;
import io.skep.llap.server.cache.TableCacheStats;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The cache's metrics as the web pages show them: the whole cache first, then the tables that use most of it. */
final class CacheStats {
    private static final int MAX_TABLES = 20;

    private CacheStats() {}

    static List<FigureView> of(CacheSnapshot cache) {
        List<FigureView> views = new ArrayList<>();
        views.add(bytes("Cache", "in use", cache.usedBytes()));
        views.add(bytes("Cache", "capacity", cache.capacityBytes()));
        views.add(count("Cache", "chunks", cache.chunks()));
        views.add(count("Cache", "hits", cache.hits()));
        views.add(count("Cache", "misses", cache.misses()));
        for (MissCause cause : MissCause.values()) {
            views.add(count("Cache", "missed: " + cause.text(), cache.misses(cause)));
        }
        views.add(count("Cache", "evictions", cache.evictions()));
        views.add(count("Cache", "passed on", cache.bypasses()));
        addSecondTier(views, cache.second());
        cache.tables().entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, TableCacheStats.Snapshot> table) ->
                                table.getValue().bytes())
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MAX_TABLES)
                .forEach(table -> addTable(views, "Cache: " + table.getKey(), table.getValue()));
        return views;
    }

    private static void addSecondTier(List<FigureView> views, SecondTierSnapshot second) {
        if (second.equals(SecondTierSnapshot.NONE)) {
            return;
        }
        views.add(bytes("Disk cache", "in use", second.usedBytes()));
        views.add(bytes("Disk cache", "capacity", second.capacityBytes()));
        views.add(count("Disk cache", "chunks", second.chunks()));
        views.add(count("Disk cache", "hits", second.hits()));
        views.add(count("Disk cache", "writes", second.writes()));
        views.add(bytes("Disk cache", "written", second.writtenBytes()));
        views.add(count("Disk cache", "evictions", second.evictions()));
        views.add(count("Disk cache", "dropped", second.dropped()));
        views.add(count("Disk cache", "damaged", second.damaged()));
        views.add(count("Disk cache", "failed folders", second.failedFolders()));
    }

    private static void addTable(List<FigureView> views, String group, TableCacheStats.Snapshot table) {
        views.add(bytes(group, "in use", table.bytes()));
        views.add(count(group, "hits", table.hits()));
        views.add(count(group, "misses", table.misses()));
        table.missCauses().forEach((cause, count) -> views.add(count(group, "missed: " + cause.text(), count)));
        views.add(count(group, "found on disk", table.secondTierHits()));
        views.add(count(group, "evictions", table.evictions()));
        views.add(count(group, "passed on", table.bypasses()));
    }

    private static FigureView count(String group, String name, long value) {
        return new FigureView(group, name, value, Unit.COUNT);
    }

    private static FigureView bytes(String group, String name, long value) {
        return new FigureView(group, name, value, Unit.BYTES);
    }
}
