package io.optimus.demo;

import java.nio.file.Path;

/**
 * A job of the demo.
 *
 * @param submission its job file and settings
 * @param startAfterSeconds seconds after the start of the demo at which it is submitted
 * @param isResized whether it runs for so long that the plan resizes it; another may end before
 */
record DemoJob(Submission submission, int startAfterSeconds, boolean isResized) {
    /** What the files of this job's results are called: the folder of an example, or the job file. */
    String name() {
        Path file = submission.file();
        String fileName = String.valueOf(file.getFileName());
        return fileName.equals("job.yaml")
                ? String.valueOf(file.getName(file.getNameCount() - 2))
                : fileName.replace(".yaml", "");
    }
}
