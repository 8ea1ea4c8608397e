package io.optimus.am.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.checkpoint.CheckpointStore.Input;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class StoreInputTest {
    private static final int LENGTH = 120;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<String> calls = new ArrayList<>();
    private CheckpointStore store;

    @Before
    public void writeFile() throws IOException {
        LocalCheckpointStore sound = new LocalCheckpointStore(folder.getRoot().toPath());
        try (Draft draft = sound.create("file")) {
            for (int i = 0; i < LENGTH; i++) {
                draft.out().write(i);
            }
            draft.commit();
        }
        store = proxy(CheckpointStore.class, sound);
    }

    /** Notes the calls of open, seek and close. */
    private <T> T proxy(Class<T> type, T sound) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("read") && !method.getName().equals("length")) {
                        calls.add(method.getName() + (method.getName().equals("seek") ? " " + arguments[0] : ""));
                    }
                    try {
                        Object result = method.invoke(sound, arguments);
                        return result instanceof Input input ? proxy(Input.class, input) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static void reads(StoreInput in, int from, int count) throws IOException {
        byte[] bytes = new byte[count];
        in.read(from, bytes, count);
        for (int i = 0; i < count; i++) {
            assertThat(bytes[i]).isEqualTo((byte) (from + i));
        }
    }

    @Test
    public void partsOfTwoServersAreReadInTurnsWithoutGoingBack() throws IOException {
        try (StoreInput in = new StoreInput(store, "file")) {
            assertThat(in.length()).isEqualTo(LENGTH);
            for (int part = 0; part < 5; part++) {
                reads(in, 10 * part, 10);
                reads(in, 60 + 10 * part, 10);
            }
            assertThat(in.failure()).isEmpty();
        }
        assertThat(calls).containsExactly("open", "seek 60", "open", "seek 10", "close", "close");
    }

    @Test
    public void opensAFewStreamsOnly() throws IOException {
        try (StoreInput in = new StoreInput(store, "file")) {
            for (int from = LENGTH - 10; from >= 0; from -= 10) {
                reads(in, from, 10);
            }
        }
        assertThat(calls.stream().filter("open"::equals)).hasSize(12);
        assertThat(calls.stream().filter("close"::equals)).hasSize(12);
        assertThat(calls.subList(0, 15)).doesNotContain("close");
    }

    @Test
    public void anEndThatComesTooEarlyIsNotTheStoresFault() throws IOException {
        try (StoreInput in = new StoreInput(store, "file")) {
            assertThatThrownBy(() -> reads(in, LENGTH - 5, 10))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("ends at byte " + LENGTH);
            assertThat(in.failure()).isEmpty();
        }
    }
}
