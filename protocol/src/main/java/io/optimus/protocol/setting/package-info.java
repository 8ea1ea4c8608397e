/**
 * Configuration keys: how their values are read and checked, for scheduler, client and ApplicationMaster alike. Open
 * {@link io.optimus.protocol.setting.Setting} first.
 */
@NullMarked
package io.optimus.protocol.setting;

import org.jspecify.annotations.NullMarked;
