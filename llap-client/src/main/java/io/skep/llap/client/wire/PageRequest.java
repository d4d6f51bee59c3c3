package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.OutputId;

/**
 * Which rows a stream of pages is to carry.
 *
 * @param incarnation the life of the daemon that the rows are expected in
 */
public record PageRequest(String incarnation, QueryId query, OutputId output, int partition) {
    public byte[] encode() {
        WireWriter out = new WireWriter().text(incarnation).text(query.value());
        IdentityCodec.write(out, output);
        return out.number(partition).toByteArray();
    }

    public static PageRequest decode(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        return new PageRequest(in.text(), new QueryId(in.text()), IdentityCodec.readOutput(in), in.count());
    }
}
