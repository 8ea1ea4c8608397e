@NullMarked
package io.optimus.yarn.enforce;

import org.jspecify.annotations.NullMarked;
