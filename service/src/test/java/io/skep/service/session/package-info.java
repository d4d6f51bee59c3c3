@NullMarked
package io.skep.service.session;

import org.jspecify.annotations.NullMarked;
