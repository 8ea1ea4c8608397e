/**
 * Configuration keys: reads and checks their values for scheduler, client and ApplicationMaster. Open {@link
 * io.optimus.protocol.setting.Setting} first.
 */
@NullMarked
package io.optimus.protocol.setting;

import org.jspecify.annotations.NullMarked;
