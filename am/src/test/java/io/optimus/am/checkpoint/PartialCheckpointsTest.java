package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.files.CheckpointTransfer;
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

/** The test decides when deferred work is done. */
public final class PartialCheckpointsTest {
    private static final int PART = CheckpointTransfer.PART_FLOATS;
    private static final int MOST = 8;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();
    private PartialCheckpoints partial;

    @Before
    public void open() throws IOException {
        partial = new PartialCheckpoints(new LocalCheckpointStore(path()), later::add, warnings::add);
    }

    @Test
    public void isFoundFromItsBeginningUntilItIsRemoved() {
        PartialCheckpoint begun = partial.begin(key(10));

        assertThat(partial.begin(key(10))).as("for another server").isSameAs(begun);
        assertThat(partial.find(key(10))).containsSame(begun);

        partial.remove(key(10), begun);
        assertThat(partial.find(key(10))).isEmpty();
    }

    @Test
    public void theSameStepOfAnotherMembershipIsAnotherCheckpoint() {
        PartialCheckpoint begun = partial.begin(key(10));

        assertThat(partial.begin(new CheckpointKey(10, new MembershipNumber(1, 2))))
                .isNotSameAs(begun);
    }

    @Test
    public void removingAReplacedOneKeepsItsSuccessor() {
        PartialCheckpoint first = partial.begin(key(10));
        partial.discard(key(10));
        PartialCheckpoint second = partial.begin(key(10));

        partial.remove(key(10), first);

        assertThat(partial.find(key(10))).containsSame(second);
    }

    @Test
    public void discardedOneReceivesNothingMoreAndIsDeleted() throws IOException {
        PartialCheckpoint dropped = partial.begin(key(10));
        assertThat(send(dropped, TaskId.server(0))).isEqualTo(PART);
        assertThat(path()).isNotEmptyDirectory();

        partial.discard(key(10));

        assertThat(partial.find(key(10))).isEmpty();
        assertThat(send(dropped, TaskId.server(1))).isZero();
        assertThat(path()).as("the store has not been waited for yet").isNotEmptyDirectory();
        runLater();
        assertThat(path()).isEmptyDirectory();
        assertThat(warnings).isEmpty();
    }

    @Test
    public void isDiscardedOnce() {
        PartialCheckpoint dropped = partial.begin(key(10));

        assertThat(partial.discard(key(10), dropped)).isTrue();
        assertThat(partial.discard(key(10), dropped)).isFalse();
        partial.discard(key(10));
        assertThat(later).hasSize(1);
    }

    /** Both have their draft at the same path. */
    @Test
    public void lateDeletionOfADiscardedOneSparesItsSuccessor() throws IOException {
        PartialCheckpoint first = partial.begin(key(10));
        send(first, TaskId.server(0));
        partial.discard(key(10));
        PartialCheckpoint second = partial.begin(key(10));
        send(second, TaskId.server(0));

        runLater();

        assertThat(second.commit(10, StepLosses.State.START)).isNotNull();
        assertThat(path().resolve(key(10).name())).exists();
    }

    @Test
    public void discardsTheOldestIfThereAreTooMany() {
        for (int step = 1; step <= MOST; step++) {
            partial.begin(key(step));
        }
        assertThat(partial.find(key(1))).isPresent();

        partial.begin(key(MOST + 1));

        assertThat(partial.find(key(1))).isEmpty();
        assertThat(partial.find(key(2))).isPresent();
        assertThat(partial.find(key(MOST + 1))).isPresent();
    }

    @Test
    public void discardsThoseBeforeACompleteOne() {
        partial.begin(key(10));
        partial.begin(key(20));
        partial.begin(key(30));

        partial.discardBefore(key(20));

        assertThat(partial.find(key(10))).isEmpty();
        assertThat(partial.find(key(20))).isPresent();
        assertThat(partial.find(key(30))).isPresent();
    }

    @Test
    public void discardsAllWhenTheJobGoesBack() {
        partial.begin(key(10));
        partial.begin(key(20));

        partial.discardAll();

        assertThat(partial.find(key(10))).isEmpty();
        assertThat(partial.find(key(20))).isEmpty();
        assertThat(later).hasSize(2);
    }

    @Test
    public void namesSortByStepAndThenByMembership() {
        CheckpointKey second = new CheckpointKey(10, new MembershipNumber(1, 2));
        CheckpointKey tenth = new CheckpointKey(10, new MembershipNumber(1, 10));

        assertThat(List.of(key(9).name(), second.name(), tenth.name()))
                .isSorted()
                .allMatch(name -> name.startsWith(CheckpointKey.PREFIX));
    }

    private void runLater() {
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            task.run();
        }
    }

    /** Receives one part from a server. */
    private static long send(PartialCheckpoint into, TaskId server) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(sent);
        CheckpointTransfer.writePart(out, new Range(0, PART), CheckpointTransfer.buffer(0));
        CheckpointTransfer.writeEnd(out);
        out.flush();
        return into.receive(new DataInputStream(new ByteArrayInputStream(sent.toByteArray())), 0, server);
    }

    private static CheckpointKey key(long step) {
        return new CheckpointKey(step, new MembershipNumber(1, 1));
    }

    private Path path() {
        return folder.getRoot().toPath().resolve("store");
    }
}
