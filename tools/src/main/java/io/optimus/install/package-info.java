/** What {@code scripts/install} does to an installation's XML files; open {@link io.optimus.install.SiteMerge} first. */
@NullMarked
package io.optimus.install;

import org.jspecify.annotations.NullMarked;
