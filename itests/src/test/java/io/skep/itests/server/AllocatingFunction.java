package io.skep.itests.server;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.UDF;

/** A function that allocates memory until none is left. */
@SuppressWarnings("deprecation")
public final class AllocatingFunction extends UDF {
    private static final int PIECE_BYTES = 1 << 20;

    public int evaluate(int pieces) {
        List<byte[]> taken = new ArrayList<>();
        while (taken.size() < pieces) {
            taken.add(new byte[PIECE_BYTES]);
        }
        return taken.size();
    }
}
