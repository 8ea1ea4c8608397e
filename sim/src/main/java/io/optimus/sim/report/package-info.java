/**
 * The results of runs: a table, CSV and JSON files, a page with plots. Open {@link io.optimus.sim.report.Recorder}
 * first.
 */
@NullMarked
package io.optimus.sim.report;

import org.jspecify.annotations.NullMarked;
