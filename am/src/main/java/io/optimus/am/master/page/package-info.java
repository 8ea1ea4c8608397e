@NullMarked
package io.optimus.am.master.page;

import org.jspecify.annotations.NullMarked;
