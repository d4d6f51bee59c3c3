@NullMarked
package io.skep.service.cli;

import org.jspecify.annotations.NullMarked;
