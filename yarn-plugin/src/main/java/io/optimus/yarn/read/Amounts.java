package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** Translates amounts between YARN's words and the model's. */
public final class Amounts {
    private Amounts() {}

    /** In the model's words. */
    public static Resources of(Resource resource) {
        Map<String, Long> amounts = new HashMap<>();
        for (ResourceInformation one : resource.getResources()) {
            if (one.getValue() != 0) {
                amounts.put(one.getName(), one.getValue());
            }
        }
        // Most of thousands of applications ask for nothing.
        return amounts.isEmpty() ? Resources.NONE : Resources.of(amounts);
    }

    /** In YARN's words; a resource type that the cluster does not have is left out. */
    static Resource toYarn(Resources resources) {
        Resource yarn = Resource.newInstance(0L, 0);
        resources.amounts().forEach((name, amount) -> {
            if (ResourceUtils.getResourceTypes().containsKey(name)) {
                yarn.setResourceValue(name, amount);
            }
        });
        return yarn;
    }
}
