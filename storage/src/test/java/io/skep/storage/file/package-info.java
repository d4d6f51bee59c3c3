@NullMarked
package io.skep.storage.file;

import org.jspecify.annotations.NullMarked;
