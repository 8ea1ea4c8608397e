@NullMarked
package io.optimus.am.yaml;

import org.jspecify.annotations.NullMarked;
