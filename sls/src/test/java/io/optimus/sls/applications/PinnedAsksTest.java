package io.optimus.sls.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.Test;

public class PinnedAsksTest {
    private final PinnedAsks asks =
            new PinnedAsks(Resource.newInstance(1, 1), 11, node -> node.startsWith("a") ? "/rack-a" : "/rack-b");

    @Test
    public void asksForNodesTheirRacksAndTheSum() {
        assertThat(counts(asks.of(1, new TreeMap<>(Map.of("a1:1", 2, "a2:2", 1, "b1:3", 4)))))
                .isEqualTo(Map.of("a1", 2, "a2", 1, "b1", 4, "/rack-a", 3, "/rack-b", 4, "*", 7));
    }

    @Test
    public void asksOnceUntilThePlanOrWhatIsMissingChanges() {
        asks.of(1, new TreeMap<>(Map.of("a1:1", 2)));

        assertThat(asks.of(1, new TreeMap<>(Map.of("a1:1", 2)))).isEmpty();
        asks.granted("a1:1");
        assertThat(asks.of(1, new TreeMap<>(Map.of("a1:1", 1)))).isEmpty();
        assertThat(counts(asks.of(2, new TreeMap<>(Map.of("a1:1", 1)))))
                .isEqualTo(Map.of("a1", 1, "/rack-a", 1, "*", 1));
    }

    @Test
    public void withdrawsWhatIsNotWantedAnyMore() {
        asks.of(1, new TreeMap<>(Map.of("a1:1", 2)));

        assertThat(counts(asks.of(2, new TreeMap<>(Map.of("b1:3", 1)))))
                .isEqualTo(Map.of("a1", 0, "b1", 1, "/rack-a", 0, "/rack-b", 1, "*", 1));
    }

    private static Map<String, Integer> counts(List<ResourceRequest> requests) {
        return requests.stream()
                .collect(Collectors.toMap(ResourceRequest::getResourceName, ResourceRequest::getNumContainers));
    }
}
