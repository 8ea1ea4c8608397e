/**
 * What policies share that compare sizes by how much faster they make a job than its fair share of the cluster would:
 * how much of it the nodes host, what the fair share is, what a restart is worth. Open {@link
 * io.optimus.model.policy.speedup.Hosting} first.
 */
@NullMarked
package io.optimus.model.policy.speedup;

import org.jspecify.annotations.NullMarked;
