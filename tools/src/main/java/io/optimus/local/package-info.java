/** Runs a job on this machine without YARN, for measurements. Open {@link io.optimus.local.LocalJob} first. */
@NullMarked
package io.optimus.local;

import org.jspecify.annotations.NullMarked;
