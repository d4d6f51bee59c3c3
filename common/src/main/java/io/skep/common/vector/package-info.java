/**
 * Columnar vectors and batches, the only form in which columns move through Skep. Vectors are typeless (see
 * {@link io.skep.common.type.VectorKind}) and immutable once published. Kernels, encodings on disk and formats are
 * elsewhere.
 */
@NullMarked
package io.skep.common.vector;

import org.jspecify.annotations.NullMarked;
