/**
 * Implements {@code bin/skep doctor}, which checks each part that a server needs, and reports problems and their
 * remedies. It changes nothing permanently.
 */
@NullMarked
package io.skep.service.doctor;

import org.jspecify.annotations.NullMarked;
