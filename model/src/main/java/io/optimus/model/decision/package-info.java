@NullMarked
package io.optimus.model.decision;

import org.jspecify.annotations.NullMarked;
