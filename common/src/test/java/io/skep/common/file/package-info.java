@NullMarked
package io.skep.common.file;

import org.jspecify.annotations.NullMarked;
