/** Servers and daemons in a site with Kerberos: a real KDC, HDFS and ZooKeeper that accept nobody without a ticket. */
@NullMarked
package io.skep.itests.secure;

import org.jspecify.annotations.NullMarked;
