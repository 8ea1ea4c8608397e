/**
 * The configuration keys {@code yarn.optimus.*} of the client and of the ApplicationMaster; docs/configuration.md explains
 * them. Open {@link io.optimus.am.configuration.MasterSettings} first.
 */
@NullMarked
package io.optimus.am.configuration;

import org.jspecify.annotations.NullMarked;
