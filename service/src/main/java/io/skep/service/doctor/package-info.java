/**
 * {@code bin/skep doctor}: looks at each part that a server needs, and names what is wrong and its mend. Changes
 * nothing that lasts.
 */
@NullMarked
package io.skep.service.doctor;

import org.jspecify.annotations.NullMarked;
