package io.optimus.yarn.soak;

import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;

/** What a master does once YARN knows it. */
interface Work {
    /** A master has registered with YARN, as the first or a later attempt of its application. */
    void begin(FakeApplicationMaster master, List<Container> kept, long nowMillis) throws Exception;

    /** The master has registered again with another ResourceManager, which knows no requests. */
    void reconnected();

    /** Does what is due. Returns true once all work is done. */
    boolean step(long nowMillis) throws Exception;

    /** Whether its process ends now without a word. */
    boolean dies();

    /** The master has ended, or is lost. */
    void end();

    /** The resources without which it cannot go on, as one task and how many of it; none if it has what it needs. */
    Lack lack();

    /**
     * What an application lacks.
     *
     * @param task one container
     * @param count how many
     */
    record Lack(Resource task, int count) {
        boolean isNone() {
            return count == 0;
        }
    }
}
