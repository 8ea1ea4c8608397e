package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import java.nio.file.Path;
import java.util.Optional;

/** The keys by which training starts from what an earlier job has left, each declared once. */
final class StartKeys {
    final FileKey<String> model;
    final FileKey<String> resume;

    StartKeys(KeyTable table) {
        model = table.optional(
                "start.model",
                ValueType.text(""),
                "no such model",
                "`model.bin` of an earlier job, whose parameters are the initial ones: a local file, which is sent, or a URI of the cluster's file system");
        resume = table.optional(
                "start.resume",
                ValueType.text(""),
                "no such job",
                "application id of an earlier job that has not finished, or its folder: training goes on from its newest checkpoint");
    }

    /** The model as a file of the workers. */
    Optional<WorkerFile> modelFile(KeyValues values) {
        return values.find(model).map(source -> new WorkerFile(source, JobDirectory.START_MODEL_LINK, false));
    }

    /** Adds every problem to the values. */
    void check(KeyValues values, Path folder) {
        if (values.isGiven(model) && values.isGiven(resume)) {
            values.addProblem(
                    resume,
                    "is given beside start.model, and a checkpoint brings parameters of its own: leave one of them out");
        }
        modelFile(values)
                .filter(file -> !file.onCluster())
                .flatMap(file -> file.localProblem(file.local(folder)))
                .ifPresent(sentence -> values.addProblem(model, sentence));
        values.find(resume)
                .filter(job -> !JobDirectory.isNamedBy(job))
                .ifPresent(job -> values.addProblem(
                        resume,
                        "'" + job + "' names no job: write an application id such as application_1700000000000_0001, or"
                                + " the job's folder as an absolute path or URI"));
    }
}
