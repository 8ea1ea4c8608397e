/**
 * The engine {@code java}: a multilayer perceptron without any native library. Open {@link
 * io.optimus.am.engine.plain.PlainPerceptron} first.
 */
@NullMarked
package io.optimus.am.engine.plain;

import org.jspecify.annotations.NullMarked;
