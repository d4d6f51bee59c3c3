package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.PlacementStats;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestPlacementCards {
    @Test
    void eachOfSeveralDaemonsHasACard() {
        OutstandingWork idle = new OutstandingWork(new DaemonIdentity(0, "a", 4), System::nanoTime);
        OutstandingWork busy = new OutstandingWork(new DaemonIdentity(3, "b", 8), System::nanoTime);
        busy.begin(5_000_000, 2);
        List<FigureView> views = PlacementCards.of(new PlacementStats(7, 2, 1), List.of(idle, busy));
        assertThat(views)
                .contains(
                        new FigureView("Placement", "ranges read at home", 7, Unit.COUNT),
                        new FigureView("Placement", "elsewhere, the home was busy", 1, Unit.COUNT),
                        new FigureView("Daemon of slot 0", "given drivers", 0, Unit.COUNT),
                        new FigureView("Daemon of slot 3", "given work", 5000, Unit.MICROSECONDS));
    }

    @Test
    void oneDaemonHasNone() {
        List<OutstandingWork> one = List.of(new OutstandingWork(new DaemonIdentity(0, "a", 4), System::nanoTime));
        assertThat(PlacementCards.of(PlacementStats.NONE, one))
                .extracting(FigureView::group)
                .containsOnly("Placement");
    }
}
