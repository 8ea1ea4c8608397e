/**
 * What a job tells the scheduler of itself, for its ApplicationMaster and for questions about it before it is submitted. Open
 * {@link io.optimus.am.registration.RegistrationMessage} first.
 */
@NullMarked
package io.optimus.am.registration;

import org.jspecify.annotations.NullMarked;
