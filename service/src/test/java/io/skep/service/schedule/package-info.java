/** Tests of what runs scheduled queries. */
@NullMarked
package io.skep.service.schedule;

import org.jspecify.annotations.NullMarked;
