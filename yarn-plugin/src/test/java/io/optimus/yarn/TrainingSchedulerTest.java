package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.optimus.yarn.configuration.OptimusConfiguration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.junit.Test;

public final class TrainingSchedulerTest {
    @Test
    public void ignoresAnEventTypeOfAnotherHadoopVersion() {
        TrainingScheduler side =
                new TrainingScheduler(new CapacityScheduler(), OptimusConfiguration.read(new Configuration(false)));

        assertThatCode(() -> side.events().happened(new UnknownEvent())).doesNotThrowAnyException();
    }

    /** An event whose type stands for one that no switch knows. */
    private static final class UnknownEvent extends SchedulerEvent {
        private boolean asked;

        UnknownEvent() {
            super(SchedulerEventType.NODE_UPDATE);
        }

        @Override
        public SchedulerEventType getType() {
            if (!asked) {
                asked = true;
                throw new IncompatibleClassChangeError("a type that this was not compiled with");
            }
            return super.getType();
        }
    }
}
