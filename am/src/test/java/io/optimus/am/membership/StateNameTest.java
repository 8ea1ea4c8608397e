package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.engine.Communication;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** Holds the table of transitions against the states' code, and the class comment against the table. */
public final class StateNameTest {
    private static final int RUNS = 1_500;
    private static final int EVENTS = 300;
    private static final List<Communication> COMMUNICATIONS = List.of(Communication.values());
    private static final Pattern LINE = Pattern.compile(" \\* ([A-Z]+) +→((?: [A-Z]+)*)");

    @Test
    public void randomJobsTakeEveryTransitionOfTheTableAndNoOther() {
        Map<StateName, Set<StateName>> taken = new EnumMap<>(StateName.class);
        for (long seed = 0; seed < RUNS; seed++) {
            TrainingMode mode = seed % 3 == 0 ? TrainingMode.ASYNCHRONOUS : TrainingMode.SYNCHRONOUS;
            Communication communication = mode == TrainingMode.ASYNCHRONOUS
                    ? Communication.PARAMETER_SERVER
                    : COMMUNICATIONS.get((int) (seed / 3 + seed) % COMMUNICATIONS.size());
            SimulatedJob job = new SimulatedJob(seed, mode, communication);
            try {
                job.run(EVENTS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " " + mode + " " + communication + ": " + e.getMessage(), e);
            }
            job.transitions.forEach((from, to) ->
                    taken.computeIfAbsent(from, StateNameTest::none).addAll(to));
        }
        for (StateName state : StateName.values()) {
            assertThat(taken.getOrDefault(state, Set.of())).as("from %s", state).isEqualTo(state.next());
        }
    }

    private static Set<StateName> none(StateName of) {
        return EnumSet.noneOf(StateName.class);
    }

    @Test
    public void machineRefusesTransitionThatTheTableLacks() {
        MembershipMachine machine = new MembershipMachine(
                TrainingMode.SYNCHRONOUS, Communication.PARAMETER_SERVER, new Allocation(1, 1), 1, new FakeContext());
        MembershipState illegal = new StartingState(
                machine, machine.current(), new TreeSet<>(), 0, Pause.none(0), OptionalLong.empty(), "");
        assertThatThrownBy(() -> machine.enter(illegal))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("from WAITING to STARTING");
        assertThat(machine.state()).isEqualTo(StateName.WAITING);
    }

    @Test
    public void everyStateCanEndInOrder() {
        assertThat(StateName.values())
                .allMatch(state -> state.next().contains(StateName.LEAVING)
                        || state == StateName.LEAVING
                        || state == StateName.ENDED);
        assertThat(StateName.ENDED.next()).isEmpty();
    }

    @Test
    public void onlyPlacedServersMayStart() {
        assertThat(Arrays.stream(StateName.values())
                        .filter(state -> state.next().contains(StateName.STARTING)))
                .containsExactly(StateName.PLACING);
    }

    @Test
    public void classCommentShowsTheTable() throws IOException {
        Map<StateName, Set<StateName>> shown = new EnumMap<>(StateName.class);
        for (String line : Files.readAllLines(Path.of("src/main/java/io/optimus/am/membership/StateName.java"))) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                Set<StateName> next = shown.computeIfAbsent(StateName.valueOf(matcher.group(1)), StateNameTest::none);
                Arrays.stream(matcher.group(2).strip().split(" "))
                        .filter(name -> !name.isEmpty())
                        .map(StateName::valueOf)
                        .forEach(next::add);
            }
        }
        assertThat(shown).hasSameSizeAs(StateName.values());
        shown.forEach((state, next) -> assertThat(next).as("after %s", state).isEqualTo(state.next()));
    }
}
