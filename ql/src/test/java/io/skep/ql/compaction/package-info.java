@NullMarked
package io.skep.ql.compaction;

import org.jspecify.annotations.NullMarked;
