/** Which parameter server holds which parameters. */
@NullMarked
package io.optimus.model.assignment;

import org.jspecify.annotations.NullMarked;
