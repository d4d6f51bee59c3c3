@NullMarked
package io.skep.storage.registry;

import org.jspecify.annotations.NullMarked;
