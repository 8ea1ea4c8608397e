/**
 * Checks what jobs send: registrations are refused whole, single values of reports are dropped and counted. Open {@link
 * io.optimus.yarn.validation.RegistrationValidator} first.
 */
@NullMarked
package io.optimus.yarn.validation;

import org.jspecify.annotations.NullMarked;
