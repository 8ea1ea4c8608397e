@NullMarked
package io.optimus.am.client.cluster;

import org.jspecify.annotations.NullMarked;
