package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/** YARN as the job uses it. Calls return at once; answers come to the {@link Listener}. */
public interface Containers {
    /**
     * Replaces all pending requests by requests for {@code missing}.
     *
     * @param missing number of containers by role and node, without zeros; {@link TargetNode#ANY} binds to no node
     */
    void request(SortedMap<RoleOnNode, Integer> missing);

    /** Requests containers with this memory for tasks of {@code role} from now on, MiB. */
    void memory(Role role, long memoryMb);

    /** The most memory of a container that YARN grants in the job's queue, MiB; known once the attempt is registered. */
    long mostMemoryMb();

    /** Requests no container on {@code nodes}, by YARN's node ids, until the next call; running tasks stay there. */
    void avoid(SortedSet<String> nodes);

    /** Starts the process of {@code task} in its container. */
    void launch(TaskId task, TaskContainer container);

    /** Kills the process in the container. */
    void stop(TaskContainer container);

    /** Gives the container back to YARN. */
    void release(TaskContainer container);

    /** What YARN says. Methods are called on any thread. */
    interface Listener {
        /** YARN allocated containers. Some may belong to requests that were withdrawn meanwhile. */
        void allocated(List<TaskContainer> containers);

        /** Containers of earlier attempts run. YARN may have named them before. */
        void runEarlier(List<TaskContainer> earlier);

        /** A NodeManager could not start the process. */
        void launchFailed(String container, String why);

        /** Containers ended. */
        void exited(List<ContainerExit> exits);

        /** YARN wants these containers back and kills them unless they are released. */
        void preemptionRequested(List<String> containers);

        /** The ResourceManager has given this attempt up. It must end and keep its files: another may follow. */
        void shutDownRequested(String why);

        /** The ResourceManager has answered, as it does several times a second. */
        void answered();

        /** The ResourceManager has refused what the job asked of it, or did not answer for minutes. It is asked again. */
        void yarnRefused(String why);

        /** The job can no longer work with YARN. */
        void yarnFailed(String why);
    }
}
