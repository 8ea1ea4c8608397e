@NullMarked
package io.optimus.yarn.plan;

import org.jspecify.annotations.NullMarked;
