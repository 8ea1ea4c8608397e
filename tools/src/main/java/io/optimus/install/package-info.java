/** Changes an installation's XML files for {@code scripts/install}. Open {@link io.optimus.install.SiteMerge} first. */
@NullMarked
package io.optimus.install;

import org.jspecify.annotations.NullMarked;
