/**
 * What computes gradients, behind one interface. Open {@link io.optimus.am.engine.TrainingEngine} first. Engines know
 * neither sockets nor YARN.
 */
@NullMarked
package io.optimus.am.engine;

import org.jspecify.annotations.NullMarked;
