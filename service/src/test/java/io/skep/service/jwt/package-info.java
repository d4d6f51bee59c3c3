/** Tests of signed tokens. */
@NullMarked
package io.skep.service.jwt;

import org.jspecify.annotations.NullMarked;
