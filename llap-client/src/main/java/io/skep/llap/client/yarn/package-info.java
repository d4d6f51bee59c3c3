/** Starts applications on YARN: its protocol, and the package that containers run. */
@NullMarked
package io.skep.llap.client.yarn;

import org.jspecify.annotations.NullMarked;
