package io.optimus.yarn.enforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingApplication.RoleShape;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public class CeilingTest {
    private static final ApplicationId JOB = ApplicationId.newInstance(1, 1);
    private static final Resources GPU = Resources.of(1024, 1, 1);
    private static final Resources CPU = Resources.of(512, 1, 0);

    @Test
    public void isThePlacementByPriorityAndNode() {
        TrainingApplication application = new TrainingApplication(
                JOB,
                Map.of(Role.WORKER, new RoleShape(10, GPU, 1, 4), Role.PARAMETER_SERVER, new RoleShape(11, CPU, 1, 2)));
        Ceiling ceiling = Ceiling.of(
                application, Placement.of(Map.of("n1:1", new Allocation(1, 2), "n2:1", new Allocation(0, 1))));
        assertThat(ceiling.on(10, "n1:1")).isEqualTo(2);
        assertThat(ceiling.on(11, "n1:1")).isEqualTo(1);
        assertThat(ceiling.on(10, "n2:1")).isEqualTo(1);
        assertThat(ceiling.on(11, "n2:1")).isZero();
        assertThat(ceiling.on(10, "n3:1")).isZero();
        assertThat(ceiling.on(12, "n1:1")).isZero();
        assertThat(application.maximum()).isEqualTo(Resources.of(5120, 6, 4));
    }

    @Test
    public void refusesRolesThatShareAPriority() {
        assertThatThrownBy(() -> new TrainingApplication(
                        JOB,
                        Map.of(
                                Role.WORKER,
                                new RoleShape(10, GPU, 1, 4),
                                Role.PARAMETER_SERVER,
                                new RoleShape(10, CPU, 1, 2))))
                .hasMessageContaining("share YARN priority 10");
    }
}
