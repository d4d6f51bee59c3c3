@NullMarked
package io.skep.authentication;

import org.jspecify.annotations.NullMarked;
