/**
 * Charts as text in SVG, for the simulator's report and the ApplicationMaster's page. Open {@link
 * io.optimus.model.chart.Chart} first.
 */
@NullMarked
package io.optimus.model.chart;

import org.jspecify.annotations.NullMarked;
