/** Tests of the ResourceManager's pages in Chromium. Open {@link io.optimus.browser.SchedulerPageTest} first. */
@NullMarked
package io.optimus.browser;

import org.jspecify.annotations.NullMarked;
