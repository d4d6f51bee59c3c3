/**
 * The encoding of column chunks: all values of one column in one row group, in a small form from which any rows can be
 * decoded. It converts between vectors and bytes; the cache decides where the bytes are stored.
 *
 * <p>Format 1, little endian. A chunk is one node; every node begins at a multiple of 8 bytes:
 *
 * <pre>
 * node    := kind (byte) encoding (byte) nulls (byte: 0 none, 1 some, 2 all) unused (byte)
 *            rows (int) length of the node in bytes (int) extra (int)
 *            [null bitmap: a long for each 64 rows, when nulls = 1]
 *            payload
 * PACKED     (LONG)            base (long), width in bits (long), rows * width bits, padding to 8 and 8 more bytes
 * LANES      (LONG)            base (long), width in bits (byte), log2 of the lanes (7 bytes), words;
 *                              see {@link LanePacking}
 * CONSTANT   (LONG, DOUBLE)    value (long)
 * RUNS       (LONG)            node of run ends, node of run values
 * RAW        (DOUBLE)          raw bits (long) for each row
 * FLOATS     (DOUBLE)          raw bits of the value as a float (int) for each row
 * DICTIONARY (BYTES)           node of ids, node of entries
 * PARTS      (others)          DECIMAL128: high, low; TIMESTAMP: seconds, nanos; STRUCT: fields;
 *                              UNION: tags, alternatives; extra = number of nodes
 * VIEWS      (BYTES, LIST, MAP) node of lengths, start of each 1024th row (int, extra = their number, padded to 8),
 *                              and then bytes (padded to 8), a node of elements, or nodes of keys and of values
 * </pre>
 */
@NullMarked
package io.skep.llap.server.chunk;

import org.jspecify.annotations.NullMarked;
