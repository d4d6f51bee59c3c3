@NullMarked
package io.skep.service.doctor;

import org.jspecify.annotations.NullMarked;
