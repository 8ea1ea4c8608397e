/**
 * REST on the web address of the ResourceManager. Open {@link io.optimus.yarn.web.OptimusResource} first.
 */
@NullMarked
package io.optimus.yarn.web;

import org.jspecify.annotations.NullMarked;
