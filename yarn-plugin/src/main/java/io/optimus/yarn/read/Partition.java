package io.optimus.yarn.read;

import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** The partition (node label) of an application's requests. */
public final class Partition {
    private Partition() {}

    /** The node label of those requests of {@code app} that name none; empty for the default partition. */
    public static String of(FiCaSchedulerApp app, RMContext context) {
        RMApp rmApp = context.getRMApps().get(app.getApplicationId());
        ApplicationSubmissionContext submission = rmApp == null ? null : rmApp.getApplicationSubmissionContext();
        String label = submission == null ? null : submission.getNodeLabelExpression();
        if (label == null) {
            label = app.getAppSchedulingInfo().getDefaultNodeLabelExpression();
        }
        return label == null ? "" : label.trim();
    }
}
