@NullMarked
package io.optimus.am.progress;

import org.jspecify.annotations.NullMarked;
