/** What {@code scripts/demo} shows and writes; open {@link io.optimus.demo.Demo} first. */
@NullMarked
package io.optimus.demo;

import org.jspecify.annotations.NullMarked;
