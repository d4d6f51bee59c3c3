@NullMarked
package io.skep.service.authentication;

import org.jspecify.annotations.NullMarked;
