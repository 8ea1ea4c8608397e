@NullMarked
package io.optimus.am.master.scheduler;

import org.jspecify.annotations.NullMarked;
