@NullMarked
package io.optimus.yarn.budget;

import org.jspecify.annotations.NullMarked;
