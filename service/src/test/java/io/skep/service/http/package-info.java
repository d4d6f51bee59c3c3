@NullMarked
package io.skep.service.http;

import org.jspecify.annotations.NullMarked;
