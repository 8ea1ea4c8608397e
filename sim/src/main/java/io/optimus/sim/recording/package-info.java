/**
 * Recordings of clusters that ResourceManagers kept, made into workloads and clusters that can be simulated. Open {@link
 * io.optimus.sim.recording.RecordingReader} first.
 */
@NullMarked
package io.optimus.sim.recording;

import org.jspecify.annotations.NullMarked;
