package io.optimus.yarn.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.optimus.yarn.jobs.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests orders that are kept in a file. */
public final class OperatorOrdersTest {
    private static final Order ORDER = new Order("operator", 7);
    private static final ApplicationId RUNS = Jobs.attempt(1, 1).getApplicationId();
    private static final ApplicationId ENDED = Jobs.attempt(2, 1).getApplicationId();

    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger changes = new AtomicInteger();
    private java.nio.file.Path file = java.nio.file.Path.of("");

    @Before
    public void chooseFile() {
        file = folder.getRoot().toPath().resolve("new folder/orders.json");
    }

    @Test
    public void anotherResourceManagerHasTheOrdersOfTheOneBefore() throws Exception {
        OperatorOrders before = read();
        before.pause(ORDER);
        before.drainNode("a:1", ORDER);
        before.drainQueue("root.a", ORDER);
        before.fixSize(RUNS, new SizeOrder(Jobs.size(1, 3), ORDER));
        before.fixSize(ENDED, new SizeOrder(Jobs.size(1, 4), ORDER));

        OperatorOrders.InForce after = read().inForce();

        assertThat(after.pause()).contains(ORDER);
        assertThat(after.drainedNodes()).containsOnlyKeys("a:1").containsValue(ORDER);
        assertThat(after.drainedQueues()).containsOnlyKeys("root.a");
        assertThat(after.sizes()).containsOnlyKeys(RUNS).containsValue(new SizeOrder(Jobs.size(1, 3), ORDER));

        before.resume();
        before.useNode("a:1");
        before.useQueue("root.a");
        before.freeSize(RUNS);
        assertThat(read().inForce()).isEqualTo(OperatorOrders.InForce.NONE);
    }

    @Test
    public void refusesOrdersAsLongAsThoseInTheFileAreNotKnown() throws Exception {
        OperatorOrders orders = orders();
        assertThat(orders.problem()).isPresent();
        assertThatIOException().isThrownBy(() -> orders.pause(ORDER));
        assertThat(file).doesNotExist();

        orders.read(job -> true, 0);

        assertThat(orders.problem()).isEmpty();
        orders.pause(ORDER);
        assertThat(orders.inForce().paused()).isTrue();
    }

    @Test
    public void readsADamagedFileAgainOnceItIsMended() throws Exception {
        read().pause(ORDER);
        String whole = Files.readString(file);
        for (String damaged : new String[] {
            "", "{}", "no orders", whole.substring(0, whole.length() / 2), whole.replace("7", "\"soon\"")
        }) {
            Files.writeString(file, damaged);
            OperatorOrders orders = orders();
            changes.set(0);

            orders.read(job -> true, 0);

            assertThat(orders.problem()).as(damaged).hasValueSatisfying(problem -> assertThat(problem)
                    .contains("no round decides anything", "new folder/orders.json", "Remedy")
                    .doesNotContain("\n"));
            Files.writeString(file, whole);
            orders.read(job -> true, 1);
            assertThat(orders.problem()).as("tried again at once").isPresent();
            orders.read(job -> true, 60_000);
            assertThat(orders.problem()).isEmpty();
            assertThat(orders.inForce().paused()).isTrue();
            assertThat(changes).hasValue(1);
        }
    }

    @Test
    public void anOrderThatCannotBeKeptIsNotInForce() throws Exception {
        OperatorOrders orders = read();
        orders.drainNode("a:1", ORDER);
        changes.set(0);
        // A folder at the place of the new file stands for any refusal of the file system.
        Files.createDirectories(file.resolveSibling("orders.json.new").resolve("in-the-way"));

        assertThatIOException().isThrownBy(() -> orders.drainNode("b:1", ORDER));

        assertThat(orders.inForce().drainedNodes()).containsOnlyKeys("a:1");
        assertThat(changes).hasValue(0);
        assertThat(read().inForce().drainedNodes()).containsOnlyKeys("a:1");
    }

    @Test
    public void anEndedJobIsForgottenWithoutTheFile() throws Exception {
        OperatorOrders orders = read();
        orders.fixSize(ENDED, new SizeOrder(Jobs.size(1, 4), ORDER));
        Files.delete(file);

        orders.forget(ENDED);

        assertThat(orders.inForce().sizes()).isEmpty();
        assertThat(file).doesNotExist();
    }

    private OperatorOrders orders() {
        OperatorOrders orders = new OperatorOrders(changes::incrementAndGet);
        orders.keepIn(Optional.of(new OrdersFile(new Path(file.toUri()), new Configuration())));
        return orders;
    }

    private OperatorOrders read() throws IOException {
        OperatorOrders orders = orders();
        orders.read(RUNS::equals, 0);
        assertThat(orders.problem()).isEmpty();
        return orders;
    }
}
