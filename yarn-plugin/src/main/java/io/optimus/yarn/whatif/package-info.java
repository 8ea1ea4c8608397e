/**
 * What would happen: forecasts of the present cluster with a change, and without. Nothing of the cluster changes. Open {@link
 * io.optimus.yarn.whatif.WhatIfs} first.
 */
@NullMarked
package io.optimus.yarn.whatif;

import org.jspecify.annotations.NullMarked;
