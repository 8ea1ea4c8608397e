@NullMarked
package io.optimus.sim.input;

import org.jspecify.annotations.NullMarked;
