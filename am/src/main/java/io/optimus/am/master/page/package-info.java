/**
 * The tracking page of one job: its status as HTML for people and as JSON for programs. Open {@link
 * io.optimus.am.master.page.StatusView} first.
 */
@NullMarked
package io.optimus.am.master.page;

import org.jspecify.annotations.NullMarked;
