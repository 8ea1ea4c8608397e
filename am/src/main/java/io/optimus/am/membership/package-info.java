@NullMarked
package io.optimus.am.membership;

import org.jspecify.annotations.NullMarked;
