@NullMarked
package io.optimus.am.checkpoint;

import org.jspecify.annotations.NullMarked;
