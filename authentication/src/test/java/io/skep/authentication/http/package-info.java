@NullMarked
package io.skep.authentication.http;

import org.jspecify.annotations.NullMarked;
