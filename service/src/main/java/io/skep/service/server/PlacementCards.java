package io.skep.service.server;

import io.skep.common.query.PlacementStats;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.util.ArrayList;
import java.util.List;

/** Metrics of the placement of file ranges and of each daemon's assigned work, for the web pages. */
final class PlacementCards {
    private PlacementCards() {}

    /** @param work assigned work of the daemons that get queries; a single daemon leaves no choice and gets no card */
    static List<FigureView> of(PlacementStats placed, List<OutstandingWork> work) {
        List<FigureView> views = new ArrayList<>(of("Placement", placed));
        if (work.size() > 1) {
            for (OutstandingWork one : work) {
                String group = "Daemon of slot " + one.daemon().slot();
                views.add(new FigureView(group, "executors", one.daemon().executors(), Unit.COUNT));
                views.add(new FigureView(group, "given drivers", one.drivers(), Unit.COUNT));
                views.add(new FigureView(group, "given work", one.nanos() / 1000, Unit.MICROSECONDS));
            }
        }
        return views;
    }

    static List<FigureView> of(String group, PlacementStats placed) {
        return List.of(
                new FigureView(group, "ranges read at home", placed.home(), Unit.COUNT),
                new FigureView(group, "at another home", placed.otherHome(), Unit.COUNT),
                new FigureView(group, "elsewhere, the home was busy", placed.away(), Unit.COUNT));
    }
}
