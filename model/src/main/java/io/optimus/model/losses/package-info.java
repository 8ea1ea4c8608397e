@NullMarked
package io.optimus.model.losses;

import org.jspecify.annotations.NullMarked;
