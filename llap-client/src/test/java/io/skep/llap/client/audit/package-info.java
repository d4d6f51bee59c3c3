@NullMarked
package io.skep.llap.client.audit;

import org.jspecify.annotations.NullMarked;
