/** An authorizer of Hive's plug-in interface on Ranger's policy engine, whose arguments may be null as in Hive. */
@NullUnmarked
package io.skep.itests.ranger;

import org.jspecify.annotations.NullUnmarked;
