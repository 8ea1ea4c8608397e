/**
 * End-to-end tests: the scheduler in a real ResourceManager, real NodeManagers, real training processes. {@link
 * io.optimus.tests.TrainingCluster} is the cluster; {@link io.optimus.tests.ScriptedMaster} an ApplicationMaster that
 * does what a test wants, also what a good one never would.
 */
package io.optimus.tests;
