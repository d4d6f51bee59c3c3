/** Tests of the documents: the commands of the user's guide, and links between pages. */
@NullMarked
package io.skep.itests.docs;

import org.jspecify.annotations.NullMarked;
