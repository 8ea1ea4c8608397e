/**
 * Why a job has what it has, with the numbers behind it, and what would change it. Open {@link
 * io.optimus.yarn.explain.JobExplainer} first.
 */
@NullMarked
package io.optimus.yarn.explain;

import org.jspecify.annotations.NullMarked;
