/** The live view of all jobs in a terminal. Open {@link io.optimus.am.client.top.TopCommand} first. */
@NullMarked
package io.optimus.am.client.top;

import org.jspecify.annotations.NullMarked;
