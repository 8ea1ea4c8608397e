package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is to be done later is done when the test says so. */
public final class PartialCheckpointsTest {
    private static final int PART = CheckpointTransfer.PART_FLOATS;
    private static final int MOST = 8;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();
    private PartialCheckpoints gatherings;

    @Before
    public void open() throws IOException {
        gatherings = new PartialCheckpoints(new LocalCheckpointStore(path()), later::add, warnings::add);
    }

    @Test
    public void whatIsBegunIsFoundUntilItIsRemoved() {
        PartialCheckpoint begun = gatherings.begin(key(10));

        assertThat(gatherings.begin(key(10))).as("for another server").isSameAs(begun);
        assertThat(gatherings.find(key(10))).containsSame(begun);

        gatherings.remove(key(10), begun);
        assertThat(gatherings.find(key(10))).isEmpty();
    }

    @Test
    public void theSameStepOfAnotherMembershipIsAnotherCheckpoint() {
        PartialCheckpoint begun = gatherings.begin(key(10));

        assertThat(gatherings.begin(new CheckpointService.Key(10, new MembershipNumber(1, 2))))
                .isNotSameAs(begun);
    }

    @Test
    public void removingOneThatWasReplacedLeavesTheOther() {
        PartialCheckpoint first = gatherings.begin(key(10));
        gatherings.forget(key(10));
        PartialCheckpoint second = gatherings.begin(key(10));

        gatherings.remove(key(10), first);

        assertThat(gatherings.find(key(10))).containsSame(second);
    }

    @Test
    public void whatIsForgottenTakesNothingMoreAndLeavesNothingBehind() throws IOException {
        PartialCheckpoint dropped = gatherings.begin(key(10));
        assertThat(take(dropped, TaskId.server(0))).isEqualTo(PART);
        assertThat(path()).isNotEmptyDirectory();

        gatherings.forget(key(10));

        assertThat(gatherings.find(key(10))).isEmpty();
        assertThat(take(dropped, TaskId.server(1))).isZero();
        assertThat(path()).as("nobody has waited for the store yet").isNotEmptyDirectory();
        runLater();
        assertThat(path()).isEmptyDirectory();
        assertThat(warnings).isEmpty();
    }

    @Test
    public void isForgottenOnce() {
        PartialCheckpoint dropped = gatherings.begin(key(10));

        assertThat(gatherings.forget(key(10), dropped)).isTrue();
        assertThat(gatherings.forget(key(10), dropped)).isFalse();
        gatherings.forget(key(10));
        assertThat(later).hasSize(1);
    }

    /** Both have their draft in the same place. */
    @Test
    public void theNextOneOfAKeyIsNotHarmedByTheLateEndOfTheOneBefore() throws IOException {
        PartialCheckpoint first = gatherings.begin(key(10));
        take(first, TaskId.server(0));
        gatherings.forget(key(10));
        PartialCheckpoint second = gatherings.begin(key(10));
        take(second, TaskId.server(0));

        runLater();

        assertThat(second.commit(10, StepLosses.State.START)).isNotNull();
        assertThat(path().resolve(key(10).name())).exists();
    }

    @Test
    public void forgetsTheOldestWhereTooManyAreInTheMaking() {
        for (int step = 1; step <= MOST; step++) {
            gatherings.begin(key(step));
        }
        assertThat(gatherings.find(key(1))).isPresent();

        gatherings.begin(key(MOST + 1));

        assertThat(gatherings.find(key(1))).isEmpty();
        assertThat(gatherings.find(key(2))).isPresent();
        assertThat(gatherings.find(key(MOST + 1))).isPresent();
    }

    @Test
    public void forgetsThoseBeforeOneThatIsComplete() {
        gatherings.begin(key(10));
        gatherings.begin(key(20));
        gatherings.begin(key(30));

        gatherings.forgetBefore(key(20));

        assertThat(gatherings.find(key(10))).isEmpty();
        assertThat(gatherings.find(key(20))).isPresent();
        assertThat(gatherings.find(key(30))).isPresent();
    }

    @Test
    public void forgetsAllWhenTheJobGoesBack() {
        gatherings.begin(key(10));
        gatherings.begin(key(20));

        gatherings.forgetAll();

        assertThat(gatherings.find(key(10))).isEmpty();
        assertThat(gatherings.find(key(20))).isEmpty();
        assertThat(later).hasSize(2);
    }

    @Test
    public void namesSortByStepAndThenByMembership() {
        CheckpointService.Key second = new CheckpointService.Key(10, new MembershipNumber(1, 2));
        CheckpointService.Key tenth = new CheckpointService.Key(10, new MembershipNumber(1, 10));

        assertThat(List.of(key(9).name(), second.name(), tenth.name()))
                .isSorted()
                .allMatch(name -> name.startsWith(CheckpointService.PREFIX));
    }

    private void runLater() {
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            task.run();
        }
    }

    /** A server sends one part. */
    private static long take(PartialCheckpoint into, TaskId server) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(sent);
        CheckpointTransfer.writePart(out, new Range(0, PART), CheckpointTransfer.buffer(0));
        CheckpointTransfer.writeEnd(out);
        out.flush();
        return into.take(new DataInputStream(new ByteArrayInputStream(sent.toByteArray())), 0, server);
    }

    private static CheckpointService.Key key(long step) {
        return new CheckpointService.Key(step, new MembershipNumber(1, 1));
    }

    private Path path() {
        return folder.getRoot().toPath().resolve("store");
    }
}
