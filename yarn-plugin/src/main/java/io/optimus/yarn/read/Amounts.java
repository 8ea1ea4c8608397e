package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** Translates amounts of resources between YARN and the model. */
public final class Amounts {
    private Amounts() {}

    /** YARN's amounts in the model. */
    public static Resources of(Resource resource) {
        Map<String, Long> amounts = new HashMap<>();
        for (ResourceInformation one : resource.getResources()) {
            if (one.getValue() != 0) {
                amounts.put(one.getName(), one.getValue());
            }
        }
        // Most of thousands of applications request nothing.
        return amounts.isEmpty() ? Resources.NONE : Resources.of(amounts);
    }

    /** Whether both are the same amounts; cheaper than a translation. */
    static boolean equal(Resource resource, Resources amounts) {
        int names = 0;
        for (ResourceInformation one : resource.getResources()) {
            if (one.getValue() != amounts.amount(one.getName())) {
                return false;
            }
            names += one.getValue() == 0 ? 0 : 1;
        }
        return names == amounts.size();
    }

    /** The model's amounts in YARN, without resource types that the cluster does not have. */
    public static Resource toYarn(Resources resources) {
        Resource yarn = Resource.newInstance(0L, 0);
        resources.amounts().forEach((name, amount) -> {
            if (ResourceUtils.getResourceTypes().containsKey(name)) {
                yarn.setResourceValue(name, amount);
            }
        });
        return yarn;
    }
}
