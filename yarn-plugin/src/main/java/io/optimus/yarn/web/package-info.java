/**
 * What people and programs see of training, on the ResourceManager's web address. Open {@link
 * io.optimus.yarn.web.OptimusResource} first.
 */
@NullMarked
package io.optimus.yarn.web;

import org.jspecify.annotations.NullMarked;
