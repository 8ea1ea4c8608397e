package io.optimus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class ScaleTest {
    @Test
    public void growsAlongOneAxisAtATime() {
        assertThat(Scale.of(List.of(10, 20), List.of(1, 2, 3)))
                .containsExactly(
                        new Scale(10, 1), new Scale(10, 3), new Scale(20, 3), new Scale(20, 1), new Scale(20, 2));
    }
}
