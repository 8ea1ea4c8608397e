package io.optimus.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

public final class FaultKindsTest {
    private static final Pattern KINDS = Pattern.compile("^kinds=\\(([^)]*)\\)", Pattern.MULTILINE);

    @Test
    public void theScriptNamesAllKinds() throws IOException {
        Matcher kinds = KINDS.matcher(Files.readString(Path.of("..", "scripts", "fault-test")));
        assertThat(kinds.find()).isTrue();
        assertThat(kinds.group(1).strip().split("\\s+"))
                .containsExactlyInAnyOrder(
                        Arrays.stream(Fault.values()).map(Fault::word).toArray(String[]::new));
    }

    @Test
    public void someKindsAreChosen() {
        assertThat(Fault.named("")).containsExactly(Fault.values());
        assertThat(Fault.named("restart-node-manager kill-worker"))
                .isEqualTo(List.of(Fault.RESTART_NODE_MANAGER, Fault.KILL_WORKER));
        assertThatThrownBy(() -> Fault.named("kill-all")).isInstanceOf(IllegalArgumentException.class);
    }
}
