package io.optimus.yarn.jobs;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The applications of the ResourceManager, as far as training needs them. */
public interface Applications {
    /** The type of training applications. */
    String TRAINING_TYPE = "OPTIMUS";

    /** The application, if it runs and has an attempt. */
    Optional<ApplicationFacts> find(ApplicationId application);

    /** Applications of {@link #TRAINING_TYPE} whose ApplicationMaster has a container: those may register. */
    Collection<ApplicationId> training();

    /** The address of the page where people see a training application, also when it has ended; empty if none is served. */
    Optional<String> page(ApplicationId application);
}
