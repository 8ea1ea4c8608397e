/**
 * Training engines, which compute gradients. Open {@link io.optimus.am.engine.TrainingEngine} first. Engines use neither
 * sockets nor YARN.
 */
@NullMarked
package io.optimus.am.engine;

import org.jspecify.annotations.NullMarked;
