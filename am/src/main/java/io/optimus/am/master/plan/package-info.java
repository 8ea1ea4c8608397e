@NullMarked
package io.optimus.am.master.plan;

import org.jspecify.annotations.NullMarked;
