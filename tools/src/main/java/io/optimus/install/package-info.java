/**
 * What {@code scripts/install} needs: changes an installation's XML files, says what follows from them, and asks a running
 * ResourceManager. Open {@link io.optimus.install.SiteMerge} first.
 */
@NullMarked
package io.optimus.install;

import org.jspecify.annotations.NullMarked;
