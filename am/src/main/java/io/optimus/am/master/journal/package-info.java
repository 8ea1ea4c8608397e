@NullMarked
package io.optimus.am.master.journal;

import org.jspecify.annotations.NullMarked;
