/**
 * The output of a job's processes, while it runs and afterwards. Open {@link io.optimus.am.client.logs.LogsCommand} first.
 */
@NullMarked
package io.optimus.am.client.logs;

import org.jspecify.annotations.NullMarked;
