@NullMarked
package io.skep.llap.client.zookeeper;

import org.jspecify.annotations.NullMarked;
