/**
 * End-to-end tests: the scheduler runs in a real ResourceManager with real NodeManagers and real training processes. {@link
 * io.optimus.tests.TrainingCluster} is the cluster, {@link io.optimus.tests.SubmittedJob} a job on it, and {@link
 * io.optimus.tests.ScriptedMaster} an ApplicationMaster that does what a test says, even what a correct one never does.
 */
package io.optimus.tests;
