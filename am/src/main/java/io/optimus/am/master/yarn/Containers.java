package io.optimus.am.master.yarn;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/** The ResourceManager, as the job sees it. Calls return at once; answers come to the {@link Listener}. */
public interface Containers {
    /**
     * Withdraws every ask that is pending and asks for {@code missing} instead.
     *
     * @param missing containers by seat, without zeros; seats {@link TargetNode#ANYWHERE} are not bound to a node
     */
    void ask(SortedMap<RoleOnNode, Integer> missing);

    /** Wants no containers on {@code nodes}, by YARN's node ids, until the next call; what runs there stays. */
    void avoid(SortedSet<String> nodes);

    /** Gives a container back; its processes are killed. */
    void release(String container);

    /** What YARN says, called on any thread. */
    interface Listener {
        /** Containers were given, also ones whose ask was withdrawn meanwhile. */
        void granted(List<TaskContainer> grants);

        /** Containers ended. */
        void exited(List<ContainerExit> exits);

        /** YARN wants these containers back and kills them otherwise. */
        void preempted(List<String> containers);

        /** This attempt is over for the ResourceManager: end without a trace, another may follow. */
        void abandoned(String why);

        /** YARN cannot be worked with any longer. */
        void broken(String why);
    }
}
