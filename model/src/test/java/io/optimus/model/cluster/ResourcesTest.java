package io.optimus.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.Test;

public final class ResourcesTest {
    @Test
    public void amountsAreBoundedOnBothSides() {
        Resources amounts = Resources.of(Map.of("a", -5L, "b", 7L, "c", Long.MAX_VALUE));

        assertThat(amounts.within(0, 100)).isEqualTo(Resources.of(Map.of("b", 7L, "c", 100L)));
        assertThat(amounts.within(-1, 100).amount("a")).isEqualTo(-1);
    }
}
