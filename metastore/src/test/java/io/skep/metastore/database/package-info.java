@NullMarked
package io.skep.metastore.database;

import org.jspecify.annotations.NullMarked;
