package io.optimus.am.wire.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class PartsTest {
    /** The pieces of at most {@code most} floats in which a shard is sent. */
    private static List<String> pieces(int floats, int most) {
        Parts parts = Parts.of(floats);
        List<String> pieces = new ArrayList<>();
        for (int place = parts.first(); place >= 0; ) {
            int end = Math.min(place + most, parts.end(place));
            pieces.add(place + "-" + end);
            place = parts.next(end);
        }
        return pieces;
    }

    @Test
    public void theLastPartComesFirst() {
        assertThat(pieces(150_000, 150_000)).containsExactly("131072-150000", "65536-131072", "0-65536");
    }

    @Test
    public void piecesOfAPartAscend() {
        assertThat(pieces(150_000, 40_000))
                .containsExactly("131072-150000", "65536-105536", "105536-131072", "0-40000", "40000-65536");
    }

    @Test
    public void smallShardsHaveOnePart() {
        assertThat(pieces(0, 10)).containsExactly("0-0");
        assertThat(pieces(1, 10)).containsExactly("0-1");
        assertThat(pieces(65_536, 65_536)).containsExactly("0-65536");
    }

    @Test
    public void largeShardsHaveNoMoreThan64Parts() {
        assertThat(Parts.of(1 << 29).count()).isEqualTo(64);
        assertThat(pieces(100_000_001, 1 << 27)).hasSize(64).endsWith("0-1562501");
    }
}
