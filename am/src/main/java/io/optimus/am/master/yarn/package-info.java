/**
 * Containers from YARN: requests to the ResourceManager, processes on the NodeManagers, and how containers end. Nothing
 * here knows plans. Open {@link io.optimus.am.master.yarn.Containers} first.
 */
@NullMarked
package io.optimus.am.master.yarn;

import org.jspecify.annotations.NullMarked;
