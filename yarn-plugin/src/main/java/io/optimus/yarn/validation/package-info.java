@NullMarked
package io.optimus.yarn.validation;

import org.jspecify.annotations.NullMarked;
