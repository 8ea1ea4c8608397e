@NullMarked
package io.optimus.protocol.setting;

import org.jspecify.annotations.NullMarked;
