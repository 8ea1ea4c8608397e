/**
 * Solvers of small numerical problems, each as a problem, a solver and a solution. Open {@link
 * io.optimus.model.numerics.NonNegativeLeastSquaresSolver} first, then {@link
 * io.optimus.model.numerics.ProjectedQuasiNewton}. Beside them stand small statistics: {@link
 * io.optimus.model.numerics.Medians}, {@link io.optimus.model.numerics.Autocorrelation} and the normal distribution.
 */
@NullMarked
package io.optimus.model.numerics;

import org.jspecify.annotations.NullMarked;
