package io.optimus.yarn.jobs;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The ResourceManager's applications, as far as training is concerned. */
public interface Applications {
    /** Type that training applications are submitted with. */
    String TRAINING_TYPE = "OPTIMUS";

    /** The application, if it runs and has an attempt. */
    Optional<ApplicationFacts> find(ApplicationId application);

    /** Applications of {@link #TRAINING_TYPE} whose ApplicationMaster has a container: those that may register. */
    Collection<ApplicationId> training();
}
