@NullMarked
package io.skep.ql.execution;

import org.jspecify.annotations.NullMarked;
