package io.optimus.sim.interpolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

public class TetrahedraTest {
    /** There are few different coordinates, so that nearly all points are on common planes and spheres. */
    @Test(timeout = 60_000)
    public void fillsTheHullWithEmptySpheresForAnyPoints() {
        for (int seed = 0; seed < 200; seed++) {
            List<GridPoint> points = random(new Random(seed));
            if (!Tetrahedra.canHold(points)) {
                continue;
            }
            Tetrahedra tetrahedra = new Tetrahedra(points);
            Set<Cell> cells = cells(tetrahedra.find(points.get(0)));
            long volume = 0;
            long hull = 0;
            for (Cell cell : cells) {
                if (cell.outside() >= 0) {
                    hull += tetrahedra.volume(cell, cell.outside(), points.get(0));
                    continue;
                }
                long six = tetrahedra.volume(cell, 0, tetrahedra.at(cell, 0));
                assertThat(six).as("seed %s: no cell is flat", seed).isPositive();
                volume += six;
                for (GridPoint p : points) {
                    assertThat(Geometry.inSphere(
                                    tetrahedra.at(cell, 0),
                                    tetrahedra.at(cell, 1),
                                    tetrahedra.at(cell, 2),
                                    tetrahedra.at(cell, 3),
                                    p))
                            .as("seed %s: %s in a sphere", seed, p)
                            .isFalse();
                }
            }
            assertThat(volume).as("seed %s: the cells fill the hull", seed).isEqualTo(-hull);
        }
    }

    @Test(timeout = 30_000)
    public void holdsAllPoints() {
        List<GridPoint> points = random(new Random(3));
        Tetrahedra tetrahedra = new Tetrahedra(points);
        Set<Integer> corners = new HashSet<>();
        for (Cell cell : cells(tetrahedra.find(points.get(0)))) {
            for (int i = 0; i < Cell.CORNERS; i++) {
                corners.add(cell.corner(i));
            }
        }

        assertThat(corners).hasSize(points.size() + 1).contains(Cell.OUTSIDE);
    }

    private static List<GridPoint> random(Random random) {
        int range = 2 + random.nextInt(6);
        int stretch = 1 + random.nextInt(40);
        Set<GridPoint> points = new TreeSet<>();
        int count = 4 + random.nextInt(60);
        for (int i = 0; i < count; i++) {
            points.add(new GridPoint(random.nextInt(range), random.nextInt(range), stretch * random.nextInt(range)));
        }
        return new ArrayList<>(points);
    }

    private static Set<Cell> cells(Cell first) {
        Set<Cell> cells = new HashSet<>();
        Deque<Cell> next = new ArrayDeque<>(List.of(first));
        while (!next.isEmpty()) {
            Cell cell = next.remove();
            if (cells.add(cell)) {
                for (int i = 0; i < Cell.CORNERS; i++) {
                    next.add(cell.neighbour(i));
                }
            }
        }
        return cells;
    }
}
