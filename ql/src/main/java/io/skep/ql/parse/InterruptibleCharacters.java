package io.skep.ql.parse;

import io.skep.common.concurrent.Interruption;
import org.apache.hadoop.hive.ql.parse.ANTLRNoCaseStringStream;

/**
 * The characters of a statement. A single token may have a hundred million of them. Reading fails after the thread has
 * been interrupted.
 */
final class InterruptibleCharacters extends ANTLRNoCaseStringStream {
    private static final int READS_BETWEEN_CHECKS = 1 << 16;

    private int reads;

    InterruptibleCharacters(String text) {
        super(text);
    }

    @Override
    public void consume() {
        if (++reads == READS_BETWEEN_CHECKS) {
            reads = 0;
            Interruption.check();
        }
        super.consume();
    }
}
