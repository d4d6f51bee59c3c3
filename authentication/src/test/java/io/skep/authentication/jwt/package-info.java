@NullMarked
package io.skep.authentication.jwt;

import org.jspecify.annotations.NullMarked;
