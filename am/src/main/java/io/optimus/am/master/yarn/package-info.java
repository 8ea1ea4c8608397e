@NullMarked
package io.optimus.am.master.yarn;

import org.jspecify.annotations.NullMarked;
