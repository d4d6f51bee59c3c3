package io.skep.itests.fuzz;

import io.skep.ql.commit.JournalReader;
import io.skep.service.wire.RequestReader;
import java.util.List;
import java.util.function.Supplier;

/**
 * The targets of fuzzing. The folder of a target's seeds, and that of the inputs that once broke it, have its
 * {@link #folder name}.
 */
enum FuzzTarget {
    /** Requests of clients: a SASL negotiation with a framed call, or a call without frames. */
    REQUESTS(RequestReader::new, "io.skep.service.wire.**"),
    /** Messages between servers and daemons, in both directions, and greetings. */
    FRAMES(WireInputs::frames, "io.skep.llap.client.**"),
    /** Stage graphs and splits. */
    PLANS(WireInputs::plans, "io.skep.engine.plan.**:io.skep.storage.table.**:io.skep.common.**"),
    /** Rows in exchange files, spill files and on the wire. */
    BATCHES(WireInputs::batches, "io.skep.engine.spill.**:io.skep.common.vector.**"),
    /** Journals of commits, packed and plain, and their owners. */
    JOURNALS(JournalReader::new, "io.skep.ql.commit.**:io.skep.metastore.commit.**"),
    ORC(() -> FileInputs.of(Layouts.ORC), "io.skep.storage.**:org.apache.orc.**"),
    PARQUET(() -> FileInputs.of(Layouts.PARQUET), "io.skep.storage.parquet.**:org.apache.parquet.column.**"),
    /** Avro, RCFile and SequenceFile. */
    SERDES(
            () -> FileInputs.of(Layouts.AVRO, Layouts.RCFILE, Layouts.SEQUENCE_FILE),
            "io.skep.storage.**:org.apache.avro.**:org.apache.hadoop.hive.ql.io.RCFile*:"
                    + "org.apache.hadoop.io.SequenceFile*"),
    /** Lines: plain text, JSON and CSV. */
    TEXT(
            () -> FileInputs.of(Layouts.TEXT, Layouts.JSON, Layouts.CSV),
            "io.skep.storage.**:org.apache.hadoop.hive.serde2.**"),
    /** The parser, the analyzer, and the rest of the statement compiler. */
    SQL(SqlInputs::new, "io.skep.ql.**");

    private static final long DECODER_STACK = 1L << 20;

    /** The stack size of the threads that compile statements. */
    private static final long COMPILER_STACK = 256L << 20;

    private final Supplier<InputReader> readers;
    private final List<String> instrumented;

    FuzzTarget(Supplier<InputReader> readers, String instrumented) {
        this.readers = readers;
        this.instrumented = List.of(instrumented.split(":"));
    }

    InputReader open() {
        return readers.get();
    }

    /** Returns patterns of the classes whose branches guide the search. */
    List<String> instrumented() {
        return instrumented;
    }

    long stackBytes() {
        return this == SQL ? COMPILER_STACK : DECODER_STACK;
    }

    String folder() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
