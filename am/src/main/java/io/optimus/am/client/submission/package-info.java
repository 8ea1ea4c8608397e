@NullMarked
package io.optimus.am.client.submission;

import org.jspecify.annotations.NullMarked;
