/** What applications of YARN are started with: its protocol, and the package that their containers run. */
@NullMarked
package io.skep.llap.client.yarn;

import org.jspecify.annotations.NullMarked;
