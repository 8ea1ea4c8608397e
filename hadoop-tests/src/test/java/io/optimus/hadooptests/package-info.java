@NullMarked
package io.optimus.hadooptests;

import org.jspecify.annotations.NullMarked;
