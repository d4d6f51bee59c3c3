@NullMarked
package io.skep.service.server;

import org.jspecify.annotations.NullMarked;
