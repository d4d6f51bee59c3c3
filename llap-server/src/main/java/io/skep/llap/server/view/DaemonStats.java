package io.skep.llap.server.view;

import io.skep.llap.server.DaemonSnapshot;
import io.skep.llap.server.LlapDaemon;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/** What a daemon and its process hold at one point in time: executors, memory, cache, files. */
public final class DaemonStats {
    private DaemonStats() {}

    public static List<FigureView> of(LlapDaemon daemon) {
        DaemonSnapshot held = daemon.snapshot();
        List<FigureView> views = new ArrayList<>(List.of(
                count("Executors", "executors", daemon.config().executors()),
                count("Executors", "at work", held.executors().running()),
                count("Executors", "waiting steps", held.executors().queued()),
                count(
                        "Executors",
                        "replaced in steps that run too long",
                        held.executors().detached()),
                count("Executors", "of these, written off", held.executors().writtenOff()),
                count("Executors", "overdue, not replaced", held.executors().overdue()),
                count("Executors", "tasks", held.tasks())));
        views.addAll(heap());
        views.addAll(List.of(
                bytes("Memory", "reserved by queries", held.reservedBytes()),
                bytes("Memory", "held by threads written off", held.lostBytes()),
                bytes("Memory", "for queries", daemon.config().maxMemoryBytes()),
                bytes("Memory", "between tasks", held.exchangeBytes())));
        views.addAll(CacheStats.of(held.cache()));
        views.addAll(List.of(
                bytes("Files", "read ahead", held.aheadBytes()),
                count("Files", "pending reads", held.pendingReads()),
                count("Files", "reads that hang", held.overdueReads()),
                count("Files", "open", held.openReaders()),
                count("Files", "spill files", held.spillFiles())));
        return views;
    }

    /** Returns the heap metrics of this process. */
    public static List<FigureView> heap() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return List.of(bytes("Memory", "heap in use", heap.getUsed()), bytes("Memory", "heap", heap.getMax()));
    }

    private static FigureView count(String group, String name, long value) {
        return new FigureView(group, name, value, Unit.COUNT);
    }

    private static FigureView bytes(String group, String name, long value) {
        return new FigureView(group, name, value, Unit.BYTES);
    }
}
