package io.skep.storage.serde.container;

import io.skep.storage.file.RecordLimit;
import org.apache.hadoop.io.Text;

/** A line that Hadoop's reader fills in pieces, up to a limit. */
final class BoundedText extends Text {
    private final RecordLimit limit;
    private final String path;

    BoundedText(RecordLimit limit, String path) {
        this.limit = limit;
        this.path = path;
    }

    @Override
    public void append(byte[] bytes, int start, int length) {
        if ((long) getLength() + length > limit.bytes()) {
            throw limit.exceeded("a line of text of " + path);
        }
        super.append(bytes, start, length);
    }
}
