/**
 * The commands that show jobs, the plan, models and rounds. Open {@link io.optimus.am.client.show.ListCommand} first.
 */
@NullMarked
package io.optimus.am.client.show;

import org.jspecify.annotations.NullMarked;
