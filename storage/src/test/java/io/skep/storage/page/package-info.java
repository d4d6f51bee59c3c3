@NullMarked
package io.skep.storage.page;

import org.jspecify.annotations.NullMarked;
