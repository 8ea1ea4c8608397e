@NullMarked
package io.optimus.model.policy.division;

import org.jspecify.annotations.NullMarked;
