/**
 * Pages for people on the web address of the ResourceManager. Open {@link io.optimus.yarn.page.SchedulerPages} first.
 */
@NullMarked
package io.optimus.yarn.page;

import org.jspecify.annotations.NullMarked;
