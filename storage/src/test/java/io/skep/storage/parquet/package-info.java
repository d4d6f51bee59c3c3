@NullMarked
package io.skep.storage.parquet;

import org.jspecify.annotations.NullMarked;
