package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.belief.Estimate;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.pages.ChartData;
import io.optimus.pages.Html;
import io.optimus.pages.PageText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** The speed of a job by its size, as the scheduler believes it, and the sizes that were measured. */
final class SpeedSection {
    private static final int MOST_COLUMNS = 16;
    private static final int MOST_ROWS = 8;

    private SpeedSection() {}

    static void write(Html html, ShownJob job) {
        html.begin("section", "aria-labelledby", "speed-title");
        html.element("h2", "Speed", "id", "speed-title");
        html.begin("figure").begin("figcaption", "id", "speed-words", "data-live", "");
        html.text("Steps per second by size: "
                + job.estimate().map(Estimate::speed).map(SpeedFit::inWords).orElse("no fit yet")
                + ". Sizes that ran are marked.");
        html.end();
        Optional<SpeedFunction> believed = job.estimate()
                .flatMap(Estimate::believed)
                .map(speed -> speed.times(job.view().measured().gpuSpeed()));
        Map<Allocation, Double> measured = measured(job);
        JobDemand demand = job.view().registration().demand();
        List<Integer> workers = counts(
                demand.workers(),
                measured.keySet().stream().map(Allocation::workers).toList(),
                MOST_COLUMNS);
        List<Integer> servers = demand.hasParameterServers()
                ? counts(
                        demand.parameterServers(),
                        measured.keySet().stream()
                                .map(Allocation::parameterServers)
                                .toList(),
                        MOST_ROWS)
                : List.of(0);
        chart(workers, servers, believed, measured).write(html, "speed-chart");
        html.end();
        table(html, job, workers, servers, believed, measured);
        html.end();
    }

    private static Map<Allocation, Double> measured(ShownJob job) {
        Map<Allocation, Double> speeds = new HashMap<>();
        for (MeasuredSize size : job.view().measured().speeds().sizes()) {
            speeds.merge(
                    AllReduceSpeed.sizeOfJob(job.view().registration().demand(), size.allocation()),
                    size.stepsPerSecond() * job.view().measured().gpuSpeed(),
                    Math::max);
        }
        return speeds;
    }

    /** At most {@code most} numbers of tasks between the minimum and the maximum, with those that ran. */
    private static List<Integer> counts(RoleDemand role, List<Integer> ran, int most) {
        NavigableSet<Integer> counts = new TreeSet<>();
        ran.stream().filter(count -> count > 0).limit(most / 2).forEach(counts::add);
        int range = role.max() - role.min();
        int steps = Math.min(range, most - 1 - counts.size() / 2);
        for (int i = 0; i <= steps; i++) {
            counts.add(role.min() + (steps == 0 ? 0 : (int) ((long) range * i / steps)));
        }
        return List.copyOf(counts);
    }

    private static ChartData chart(
            List<Integer> workers,
            List<Integer> servers,
            Optional<SpeedFunction> believed,
            Map<Allocation, Double> measured) {
        ChartData chart = new ChartData(
                "workers",
                "steps/s",
                workers.stream().mapToDouble(Integer::doubleValue).toArray());
        for (int count : servers) {
            String name = servers.size() == 1 && count == 0 ? "" : count + " ps";
            believed.ifPresent(speed -> chart.with(
                    name.isEmpty() ? "believed" : name,
                    ChartData.Kind.LINE,
                    at -> speed.stepsPerSecond(new Allocation(count, (int) at))));
            if (measured.keySet().stream().anyMatch(size -> size.parameterServers() == count)) {
                chart.with(
                        name.isEmpty() ? "measured" : name + " measured",
                        ChartData.Kind.POINTS,
                        at -> measured.getOrDefault(new Allocation(count, (int) at), Double.NaN));
            }
        }
        return chart;
    }

    private static void table(
            Html html,
            ShownJob job,
            List<Integer> workers,
            List<Integer> servers,
            Optional<SpeedFunction> believed,
            Map<Allocation, Double> measured) {
        html.begin("details").element("summary", "Speeds as a table");
        List<String> columns = new ArrayList<>(List.of("Parameter servers"));
        workers.forEach(count -> columns.add("#" + count + (count == 1 ? " worker" : " workers")));
        html.table("speeds", "Speeds", columns.toArray(String[]::new));
        for (int row : servers) {
            html.begin("tr", "id", "speeds-" + row).element("th", String.valueOf(row), "scope", "row");
            for (int column : workers) {
                Allocation size = new Allocation(row, column);
                Optional<Double> ran = Optional.ofNullable(measured.get(size));
                String text = believed.map(speed -> PageText.number(speed.stepsPerSecond(size)))
                        .orElse(ran.map(PageText::number).orElse(PageText.UNKNOWN));
                html.element(
                        "td",
                        ran.isPresent() ? text + " (ran: " + PageText.number(ran.get()) + ")" : text,
                        "class",
                        size.equals(job.planned()) ? "number planned" : ran.isPresent() ? "number ran" : "number");
            }
            html.end();
        }
        html.endTable().end();
    }
}
