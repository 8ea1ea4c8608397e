/**
 * What-if questions to the scheduler, and their answers for people. Open {@link io.optimus.am.client.forecast.ForecastQuestion}
 * first.
 */
@NullMarked
package io.optimus.am.client.forecast;

import org.jspecify.annotations.NullMarked;
