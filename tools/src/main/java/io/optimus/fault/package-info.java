/**
 * Kills and stops processes of a local cluster at random while jobs train, and measures how the jobs recover. Open {@link
 * io.optimus.fault.FaultTest} first.
 */
@NullMarked
package io.optimus.fault;

import org.jspecify.annotations.NullMarked;
