/** The program behind {@code scripts/demo}. Open {@link io.optimus.demo.Demo} first. */
@NullMarked
package io.optimus.demo;

import org.jspecify.annotations.NullMarked;
