/**
 * The engine {@code java}, a multilayer perceptron without native libraries. Open {@link
 * io.optimus.am.engine.plain.PlainPerceptron} first.
 */
@NullMarked
package io.optimus.am.engine.plain;

import org.jspecify.annotations.NullMarked;
