package io.optimus.hadooptests;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.OptimusScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.Test;

public class SchedulerReplacementTest {
    private static final String NAME =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";

    /** Names CapacityScheduler in every way in which Hadoop's tests do. */
    public static final class Naming implements Supplier<List<Object>> {
        private final CapacityScheduler made = new CapacityScheduler();

        @Override
        public List<Object> get() {
            Supplier<CapacityScheduler> constructor = CapacityScheduler::new;
            return List.of(
                    made.getClass(),
                    constructor.get().getClass(),
                    CapacityScheduler.class,
                    NAME,
                    new CapacityScheduler() {}.getClass().getSuperclass());
        }
    }

    /** Names other things. */
    public static final class Others implements Supplier<List<Object>> {
        @Override
        public List<Object> get() {
            return List.of(CapacitySchedulerConfiguration.class, NAME + "Configuration");
        }
    }

    @Test
    public void replacesTheSchedulerWhereverItIsMade() throws Exception {
        assertThat(new Naming().get()).containsOnly(CapacityScheduler.class, NAME);
        assertThat(replaced(Naming.class, OptimusScheduler.class).get())
                .containsExactly(
                        OptimusScheduler.class,
                        OptimusScheduler.class,
                        OptimusScheduler.class,
                        OptimusScheduler.class.getName(),
                        OptimusScheduler.class);
    }

    @Test
    public void leavesOtherNames() throws Exception {
        assertThat(replaced(Others.class, OptimusScheduler.class).get())
                .containsExactly(CapacitySchedulerConfiguration.class, NAME + "Configuration");
    }

    @Test
    public void onStockTestsDoWhatTheyDid() throws Exception {
        assertThat(replaced(Naming.class, CapacityScheduler.class).get()).isEqualTo(new Naming().get());
    }

    @SuppressWarnings("unchecked")
    private static Supplier<List<Object>> replaced(Class<?> original, Class<?> scheduler) throws Exception {
        Class<?> replaced = new ReplacingLoader(scheduler).loadClass(original.getName());
        return (Supplier<List<Object>>) replaced.getDeclaredConstructor().newInstance();
    }

    private static byte[] bytes(String className) throws IOException {
        String path = className.replace('.', '/') + ".class";
        try (InputStream in = SchedulerReplacementTest.class.getClassLoader().getResourceAsStream(path)) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    /** Defines this test's nested classes from changed class files. */
    private static final class ReplacingLoader extends ClassLoader {
        private final SchedulerReplacement replacement;

        ReplacingLoader(Class<?> scheduler) {
            super(SchedulerReplacementTest.class.getClassLoader());
            this.replacement = new SchedulerReplacement(scheduler.getName());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(SchedulerReplacementTest.class.getName() + "$")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                byte[] changed = replacement.apply(bytes(name));
                return defineClass(name, changed, 0, changed.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
