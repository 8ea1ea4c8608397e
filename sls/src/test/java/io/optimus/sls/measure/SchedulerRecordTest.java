package io.optimus.sls.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.sls.nodemanager.NodeInfo;
import org.junit.Test;

public final class SchedulerRecordTest {
    private static final class Visit extends NodeUpdateSchedulerEvent {
        Visit(RMNode node) {
            super(node);
        }
    }

    @Test
    public void countsHeartbeatsAndNoUpdatesThatASchedulerAdds() {
        RMNode node = NodeInfo.newNodeInfo("rack", "node0", Resource.newInstance(1024, 1));
        SchedulerRecord record = new SchedulerRecord();

        record.handles(new NodeUpdateSchedulerEvent(node));
        record.handles(new Visit(node));
        record.handles(new NodeUpdateSchedulerEvent(node));

        assertThat(record.take().heartbeats()).isEqualTo(2);
    }
}
